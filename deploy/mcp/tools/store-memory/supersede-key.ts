/** The idempotency key of a superseding call: a hash of the new memory and the id of the old one, so a repeated call has the same key. */
import { createHash } from 'node:crypto';
import type { MemoryId } from '../../../../shared/contract/memory.js';

/** Does not depend on the order of fields, nor on the reason and the type of the relation. */
export function supersedeKey(oldId: MemoryId, memory: object): string {
  return `supersede-${createHash('sha256')
    .update(JSON.stringify([oldId, canonical(memory)]))
    .digest('hex')}`;
}

/** Sorts the names of every object, because the service compares the bodies of one key byte by byte. */
export function canonical<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => canonical(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  // Same properties, other order: the type stays T.
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, canonical(item as unknown)]),
  ) as T;
}
