/** Applies a filter to one hydrated memory, pure, with the rules that both stores apply inside their searches. */
import { type MemoryFilter, type TagFilter, tagFiltersOf } from '../../../shared/contract/filter.js';
import type { Memory } from '../../../shared/contract/memory.js';
import { createBeginsWithAny } from '../../../shared/text/prefixes.js';
import { canonicalTag, wholeTagKey } from '../../../shared/text/tags.js';

/**
 * Checks every part of the filter, but of the states only `unarchived`: in current mode `resolve-states.ts` decides
 * about a lapsed memory, because it may find a successor. The returned function is for many memories.
 */
export function createFilterMatch(filter: MemoryFilter): (memory: Memory) => boolean {
  const isExcluded = createIsExcluded(filter.excludeTags);
  const tagFilters = tagFiltersOf(filter);
  return (memory) =>
    !filter.excludedTypes.includes(memory.type) &&
    (filter.start === null || memory.timestamp >= filter.start) &&
    (filter.end === null || memory.timestamp <= filter.end) &&
    tagFilters.every((tags) => matchesTags(tags, memory)) &&
    !isExcluded(memory) &&
    !(filter.state === 'unarchived' && memory.archived);
}

export function matchesFilter(filter: MemoryFilter, memory: Memory): boolean {
  return createFilterMatch(filter)(memory);
}

function matchesTags({ values, mode, match }: TagFilter, memory: Memory): boolean {
  const keyOf = match === 'exact' ? wholeTagKey : canonicalTag;
  const held = new Set(match === 'exact' ? memory.tags.map(wholeTagKey) : memory.tag_prefixes);
  const isHeld = (value: string): boolean => held.has(keyOf(value));
  return mode === 'all' ? values.every(isHeld) : values.some(isHeld);
}

/** A tag is excluded when it, or one of its prefixes, starts with an excluded text; for prefixes `/` equals `:`. */
function createIsExcluded(excludeTags: readonly string[]): (memory: Memory) => boolean {
  if (excludeTags.length === 0) return () => false;
  const starts = excludeTags.map(wholeTagKey);
  const isTagExcluded = createBeginsWithAny(starts);
  const isPrefixExcluded = createBeginsWithAny(starts.map((start) => start.replaceAll('/', ':')));
  return ({ tags, tag_prefixes }) =>
    tags.some((tag) => isTagExcluded(wholeTagKey(tag))) || tag_prefixes.some(isPrefixExcluded);
}
