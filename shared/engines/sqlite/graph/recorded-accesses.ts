/**
 * Reports recorded accesses to readers that cache memories, when reader and writer are in the same process. An access
 * changes no version and moves no mark, so such a reader would not notice it.
 */
import type { MemoryId, Timestamp } from '../../../contract/memory.js';

export type RecordedAccess = { readonly ids: readonly MemoryId[]; readonly at: Timestamp };

const listeners = new WeakMap<object, Set<(access: RecordedAccess) => void>>();

/** `database`: what reader and writer share. */
export function onRecordedAccess(database: object, listener: (access: RecordedAccess) => void): void {
  const known = listeners.get(database);
  if (known) known.add(listener);
  else listeners.set(database, new Set([listener]));
}

export function reportRecordedAccess(database: object, access: RecordedAccess): void {
  for (const listener of listeners.get(database) ?? []) listener(access);
}
