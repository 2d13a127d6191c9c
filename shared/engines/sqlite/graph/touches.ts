/**
 * Reports to readers that keep memories which ones a writer of the same process has touched. A touch changes no version
 * and moves no mark, so such a reader would not notice it.
 */
import type { MemoryId, Timestamp } from '../../../contract/memory.js';

export type Touch = { readonly ids: readonly MemoryId[]; readonly at: Timestamp };

const listeners = new WeakMap<object, Set<(touch: Touch) => void>>();

/** `database`: what reader and writer share. */
export function onTouch(database: object, listener: (touch: Touch) => void): void {
  const known = listeners.get(database);
  if (known) known.add(listener);
  else listeners.set(database, new Set([listener]));
}

export function reportTouch(database: object, touch: Touch): void {
  for (const listener of listeners.get(database) ?? []) listener(touch);
}
