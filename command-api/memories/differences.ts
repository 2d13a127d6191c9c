/** What an event that changes a memory says that it changed. */
import { isDeepStrictEqual } from 'node:util';
import type { Memory } from '../../shared/contract/memory.js';

/** The names of the properties whose values are not the same. */
export function differences(before: Memory, after: Memory): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Memory>;
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
}
