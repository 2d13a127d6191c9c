/** The filter of a search. The graph and the vector index both apply every part of it themselves. */
import type { Timestamp } from './memory.js';

export type TagFilter = {
  /** At least one tag as the caller sent it, trimmed; none is blank. */
  readonly values: readonly string[];
  readonly mode: 'any' | 'all';
  /** `prefix`: cumulative prefixes, with `/` read as `:`; `exact`: whole tags. Both ignore letter case. */
  readonly match: 'prefix' | 'exact';
};

export type MemoryFilter = {
  readonly tags: TagFilter | null;
  /** A canonical tag: admits only memories that have it, or one below it. The restriction of a key; null: none. */
  readonly within: string | null;
  /** Excludes a memory when one of its tags or tag prefixes begins with one of these; ignores letter case. */
  readonly excludeTags: readonly string[];
  /** Bounds of the memory's own timestamp, both inclusive. */
  readonly start: Timestamp | null;
  readonly end: Timestamp | null;
  /** Memory types that are excluded. */
  readonly excludedTypes: readonly string[];
  /**
   * `current`: not archived, t_valid <= now (or none), t_invalid > now (or none). `lapsed`: all others. `unarchived`:
   * not archived, with any validity. Supersession is an association and not part of the filter: recall checks it after
   * hydration.
   */
  readonly state: 'current' | 'lapsed' | 'unarchived';
  readonly now: Timestamp;
};

/** Admits every memory. For the work of the service itself: a search for a caller has the tag of its key. */
export const NO_CONDITIONS = { tags: null, within: null, excludeTags: [], start: null, end: null } as const;

/** The orders of a listing. */
export const LIST_SORTS = ['newest', 'oldest', 'importance', 'updated'] as const;
export type ListSort = (typeof LIST_SORTS)[number];

/** The conditions on tags, all of which must hold. */
export function tagFiltersOf({ tags, within }: Pick<MemoryFilter, 'tags' | 'within'>): readonly TagFilter[] {
  const restriction: TagFilter[] = within === null ? [] : [{ values: [within], mode: 'any', match: 'prefix' }];
  return tags === null ? restriction : [...restriction, tags];
}
