/** What a caller narrows a search to. Both stores push every part of it down. */
import type { Timestamp } from './memory.js';

export type TagFilter = {
  /** As the caller gave them, trimmed, none blank; at least one. */
  readonly values: readonly string[];
  readonly mode: 'any' | 'all';
  /** `prefix` compares cumulative prefixes in which `/` is `:`; `exact` whole tags; both without regard to case. */
  readonly match: 'prefix' | 'exact';
};

export type MemoryFilter = {
  readonly tags: TagFilter | null;
  /** A memory goes when any of its tags or tag prefixes begins with one of these (no regard to case). */
  readonly excludeTags: readonly string[];
  /** Bounds on the memory's own timestamp, both inclusive. */
  readonly start: Timestamp | null;
  readonly end: Timestamp | null;
  /** Memory types that never appear. */
  readonly excludedTypes: readonly string[];
  /**
   * `current`: not archived, t_valid <= now (or none), t_invalid > now (or none). `lapsed`: the rest. `unarchived`: whatever its
   * validity, but not archived. Supersession is not part of it: it is an association, judged after hydration.
   */
  readonly state: 'current' | 'lapsed' | 'unarchived';
  readonly now: Timestamp;
};
