/** Applies a filter to one hydrated memory, pure, with the rules that both stores apply inside their searches. */
import type { MemoryFilter, TagFilter } from '../../../shared/contract/filter.js';
import type { Memory } from '../../../shared/contract/memory.js';
import { canonicalTag, wholeTagKey } from '../../../shared/text/tags.js';

/**
 * Checks every part of the filter, but of the states only `unarchived`: in current mode `resolve-states.ts` decides
 * about a lapsed memory, because it may find a successor.
 */
export function matchesFilter(filter: MemoryFilter, memory: Memory): boolean {
  return (
    !filter.excludedTypes.includes(memory.type) &&
    (filter.start === null || memory.timestamp >= filter.start) &&
    (filter.end === null || memory.timestamp <= filter.end) &&
    (filter.tags === null || matchesTags(filter.tags, memory)) &&
    !filter.excludeTags.some((excluded) => isExcluded(excluded, memory)) &&
    !(filter.state === 'unarchived' && memory.archived)
  );
}

function matchesTags({ values, mode, match }: TagFilter, memory: Memory): boolean {
  const keyOf = match === 'exact' ? wholeTagKey : canonicalTag;
  const held = new Set(match === 'exact' ? memory.tags.map(wholeTagKey) : memory.tag_prefixes);
  const isHeld = (value: string): boolean => held.has(keyOf(value));
  return mode === 'all' ? values.every(isHeld) : values.some(isHeld);
}

/** A tag is excluded when it, or one of its prefixes, starts with the excluded text; for prefixes `/` equals `:`. */
function isExcluded(excluded: string, { tags, tag_prefixes }: Memory): boolean {
  const start = wholeTagKey(excluded);
  if (start === '') return false;
  const canonicalStart = start.replaceAll('/', ':');
  return (
    tags.some((tag) => wholeTagKey(tag).startsWith(start)) ||
    tag_prefixes.some((prefix) => prefix.startsWith(canonicalStart))
  );
}
