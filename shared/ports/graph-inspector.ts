/** The port of reads that describe the graph as a whole: for clients that draw it, and for statistics of it. */
import type { Association, AssociationKey, AssociationType } from '../contract/association.js';
import type { ListSort, MemoryFilter } from '../contract/filter.js';
import type { Memory, MemoryId, Timestamp } from '../contract/memory.js';

/** The last memory of the page before. */
export type ImportanceCursor = Pick<Memory, 'importance' | 'timestamp' | 'id'>;

export type Selection = {
  /** Inclusive. */
  readonly minImportance: number;
  /** Null for every type. A name that is no type of a memory selects none. */
  readonly types: readonly string[] | null;
  /** The earliest timestamp, inclusive; null for no bound. */
  readonly since: Timestamp | null;
};

/** What a listing shows: memories in any state. */
export type ListFilter = Pick<MemoryFilter, 'tags' | 'within' | 'excludedTypes'> &
  Selection & {
    /** Only earlier timestamps; null for no bound. */
    readonly until: Timestamp | null;
    /** Distinct terms of the analyzer, each of which must occur in the content or in a tag. Empty for no condition. */
    readonly terms: readonly string[];
  };
/**
 * The order of a listing: by its sort, the newest first among equally important ones, then by id: descending for
 * `newest` and `updated`, ascending for the other sorts.
 */
export type ListOrder = { readonly filter: ListFilter; readonly sort: ListSort };
/** The place of a memory in that order: the values that it is sorted by, and the id. */
export type ListPosition = readonly (string | number)[];
export type ListFacets = {
  /** Most memories first, then by type. */
  readonly types: readonly { readonly type: string; readonly count: number }[];
  /** The first LIST_FACET_TAGS whole tags, as `wholeTagKey` spells them: most memories first, then by tag. */
  readonly tags: readonly { readonly tag: string; readonly count: number }[];
  /** By the UTC date of the timestamp, ascending; only dates with a memory. */
  readonly dates: readonly { readonly date: string; readonly count: number }[];
  readonly counted: number;
  /** There are, or may be, further memories. */
  readonly isPartial: boolean;
};

/** `importance`: importance, timestamp, id; the other sorts: one time, id. */
export function listPosition(
  sort: ListSort,
  { id, importance, timestamp, updated_at: updatedAt }: Pick<Memory, 'id' | 'importance' | 'timestamp' | 'updated_at'>,
): ListPosition {
  if (sort === 'importance') return [importance, timestamp, id];
  return [sort === 'updated' ? updatedAt : timestamp, id];
}

/** A preference of a caller: PREFERS_OVER, with the memories at both ends. */
export type Preference = { readonly association: Association; readonly prefers: Memory; readonly over: Memory };

export type GraphTotals = {
  /** By type; only types with a memory. */
  readonly memories: ReadonlyMap<string, number>;
  /** By type; only types with an association. Those of a deleted hub count until `clearHub` has removed them. */
  readonly associations: ReadonlyMap<AssociationType, number>;
};

export type GraphSpread = {
  /** Memories from each of the given importances on. */
  readonly fromImportance: readonly number[];
  /** By UTC date; only dates with a memory. */
  readonly byDate: ReadonlyMap<string, number>;
};

/** How many memories have a whole tag. */
export type TagCount = {
  /** As `wholeTagKey` spells it. */
  readonly tag: string;
  readonly uses: number;
};
export type TagUse = TagCount & {
  /** The earliest and the latest timestamp of these memories. */
  readonly firstAt: Timestamp;
  readonly lastAt: Timestamp;
};

/** Memories of each type whose confidence is read. */
export const CONFIDENCE_SAMPLE = 500;
/** Preferences among which the strongest are found. */
export const PREFERENCE_SAMPLE = 10_000;

/**
 * Every method throws DependencyError('graph') when the engine fails. What is written between two calls may be missing,
 * or in both.
 */
export interface GraphInspector {
  /**
   * Present memories of a selection: importance descending, timestamp descending, id ascending. `after`: null for the
   * first page. At most 1,000.
   */
  mostImportant(
    request: Selection & { readonly after: ImportanceCursor | null; readonly limit: number },
  ): Promise<readonly Memory[]>;
  /**
   * A page of a listing. `after`: the place before its first memory; null for the first page. `next`: where the next
   * page begins, null after the last one. A page may have fewer than `limit` memories, also none, and be followed by
   * others: it reads at most about LIST_SCAN_LIMIT memories that the filter does not admit. At most 100.
   */
  listed(request: ListOrder & { readonly after: ListPosition | null; readonly limit: number }): Promise<{
    readonly memories: readonly Memory[];
    readonly next: ListPosition | null;
  }>;
  /**
   * Counts the first LIST_FACETS_LIMIT memories of a listing, within the same bound of a page. Of those that its sort
   * places at the end of them with one value, the engine may choose others.
   */
  facets(request: ListOrder): Promise<ListFacets>;
  /**
   * Associations of every type, derived ones too, that start at one of `ids` and end at a memory of the selection that
   * is not after `last` in its order. They come in the order of `ids`; those of one memory by type, then in an order
   * that the engine keeps. `after`: the last key of the page before, whose source is one of `ids`; null for the first
   * page. At most 1,000 ids and 1,000 associations.
   */
  associationsWithin(
    request: Selection & {
      readonly ids: readonly MemoryId[];
      readonly last: ImportanceCursor;
      readonly after: AssociationKey | null;
      readonly limit: number;
    },
  ): Promise<readonly Association[]>;
  /** From counts that the engine keeps: its cost does not grow with the graph. */
  totals(): Promise<GraphTotals>;
  /**
   * Counts memories in the indexes of importance and time: with timestamps from `from` (inclusive) to `until`
   * (exclusive) for the dates.
   */
  spread(request: {
    readonly importances: readonly number[];
    readonly from: Timestamp;
    readonly until: Timestamp;
  }): Promise<GraphSpread>;
  /**
   * The average confidence of memories of each type. Of more than CONFIDENCE_SAMPLE memories of a type, the engine
   * chooses as many.
   */
  averageConfidences(): Promise<ReadonlyMap<string, number>>;
  /** The strongest PREFERS_OVER. Of more than PREFERENCE_SAMPLE, the engine may choose as many. */
  strongestPreferences(limit: number): Promise<readonly Preference[]>;
  /**
   * The whole tags that begin with one of these texts (none of which begins another): most uses first, then by tag. At
   * most 10,000.
   */
  tagCounts(request: { readonly prefixes: readonly string[]; readonly limit: number }): Promise<readonly TagCount[]>;
  /**
   * The whole tags of the newest memories by their timestamp, of at most this many: most uses first, then by tag. The
   * cost does not grow with the graph. At most 5,000 memories.
   */
  newestTagCounts(memories: number): Promise<readonly TagCount[]>;
  /** As `tagCounts`, with the times of these memories. At most 1,000. */
  tagUses(request: { readonly prefixes: readonly string[]; readonly limit: number }): Promise<readonly TagUse[]>;
  /** Those of the whole tags that a memory has: most uses first, then by tag. At most 1,000 tags. */
  tagUsesOf(tags: readonly string[]): Promise<readonly TagUse[]>;
  /**
   * The memories of each whole tag: importance descending, timestamp descending, id ascending, at most `limit` of each.
   * At most 2,000 tags.
   */
  memoriesTagged(request: {
    readonly tags: readonly string[];
    readonly limit: number;
  }): Promise<ReadonlyMap<string, readonly MemoryId[]>>;
}
