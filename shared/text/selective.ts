/** Recognises filters that may admit a small part of all memories. */
import type { MemoryFilter } from '../contract/filter.js';

/**
 * Whether the filter names tags, a time window or lapsed memories. Any other filter only excludes, and most memories
 * are current.
 */
export function isSelective({ tags, within, start, end, state }: MemoryFilter): boolean {
  return tags !== null || within !== null || start !== null || end !== null || state === 'lapsed';
}
