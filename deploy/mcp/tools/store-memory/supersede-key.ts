/** By what a superseding call is known again when it is repeated: the new memory, and which it replaces. */
import { createHash } from 'node:crypto';
import type { MemoryId } from '../../../../shared/contract/memory.js';

/** The same for the same memory, in whatever order its fields were written; the reason and the kind of relation may differ. */
export function supersedeKey(oldId: MemoryId, memory: object): string {
  return `supersede-${createHash('sha256')
    .update(JSON.stringify([oldId, canonical(memory)]))
    .digest('hex')}`;
}

/** With the names of every object in order: a key stands for one body, byte by byte. */
export function canonical<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => canonical(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  // The same properties in another order.
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, canonical(item as unknown)]),
  ) as T;
}
