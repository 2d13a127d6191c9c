/** A filter applied to one hydrated memory, pure: the same rules that both stores apply inside their searches. */
import type { MemoryFilter, TagFilter } from '../../shared/contract/filter.js';
import type { Memory } from '../../shared/contract/memory.js';
import { canonicalTag, wholeTagKey } from '../../shared/text/tags.js';

/**
 * Everything the caller narrowed the search to. Of the states only `unarchived` is decided here: in current mode a lapsed memory is
 * judged by the state stage, which may know its successor.
 */
export function admits(filter: MemoryFilter, memory: Memory): boolean {
  return (
    !filter.excludedTypes.includes(memory.type) &&
    (filter.start === null || memory.timestamp >= filter.start) &&
    (filter.end === null || memory.timestamp <= filter.end) &&
    (filter.tags === null || hasTags(filter.tags, memory)) &&
    !filter.excludeTags.some((excluded) => isExcluded(excluded, memory)) &&
    !(filter.state === 'unarchived' && memory.archived)
  );
}

function hasTags({ values, mode, match }: TagFilter, memory: Memory): boolean {
  const keyOf = match === 'exact' ? wholeTagKey : canonicalTag;
  const held = new Set(match === 'exact' ? memory.tags.map(wholeTagKey) : memory.tag_prefixes);
  const isHeld = (value: string): boolean => held.has(keyOf(value));
  return mode === 'all' ? values.every(isHeld) : values.some(isHeld);
}

/** By the beginning of a tag as it is written, or of a prefix with `/` read as `:`. */
function isExcluded(excluded: string, { tags, tag_prefixes }: Memory): boolean {
  const written = wholeTagKey(excluded);
  if (written === '') return false;
  const canonical = written.replaceAll('/', ':');
  return (
    tags.some((tag) => wholeTagKey(tag).startsWith(written)) ||
    tag_prefixes.some((prefix) => prefix.startsWith(canonical))
  );
}
