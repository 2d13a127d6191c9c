/** The graph ports. The graph is the source of truth for what a memory is now; only the command side writes it. */
import type { Association, AssociationKey, AssociationType } from '../contract/association.js';
import type { RecordedEvent } from '../contract/events.js';
import type { MemoryFilter, TagFilter } from '../contract/filter.js';
import type { Memory, MemoryId, MemorySummary, Timestamp } from '../contract/memory.js';
import type { MetadataValue } from '../contract/metadata-fields.js';

export type LoadedMemory = {
  readonly memory: Memory;
  readonly vectorRef: string | null;
  readonly version: number;
  readonly revision: number;
};

export type LoadedAssociation = {
  readonly association: Association;
  readonly version: number;
  readonly revision: number;
};

/** An association as seen from one of its ends. */
export type Relation = {
  readonly type: AssociationType;
  readonly direction: 'outgoing' | 'incoming';
  readonly strength: number;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly memory: MemorySummary;
};

/** One superseding association, with what is needed to judge whether its target is active. */
export type Succession = {
  readonly source: MemoryId;
  readonly target: MemoryId;
  readonly type: AssociationType;
  readonly strength: number;
  readonly updated_at: Timestamp;
  readonly targetState: Pick<Memory, 'archived' | 't_valid' | 't_invalid'>;
};

/** Memories and what became of them. */
export type Lineages = {
  readonly memories: readonly LoadedMemory[];
  readonly successions: readonly Succession[];
  /** Present memories that the successions lead to and that were not asked for; at most SUCCESSOR_LIMIT, any of more. */
  readonly successors: readonly LoadedMemory[];
};

/** A recall of a thousand candidates meets some dozens; more than these would cost more than a second call for those that are missed. */
export const SUCCESSOR_LIMIT = 200;

export type KeywordSearch = {
  /** Analysed terms (`shared/text/analyzer`), distinct, in the order of the query, at most 64; at least one. */
  readonly terms: readonly string[];
  readonly filter: MemoryFilter;
  readonly limit: number;
};

export type MetadataSearch = {
  /** As `searchWords` (`shared/text/metadata-values`) spells them, distinct, at most 12; at least one. */
  readonly words: readonly string[];
  readonly filter: MemoryFilter;
  /** At most 1,000. */
  readonly limit: number;
};

/** A memory with what of its metadata is searched. */
export type MetadataHit = { readonly id: MemoryId; readonly values: readonly MetadataValue[] };

/** Searches of one request; at most 40 of each kind. */
export type GraphSearches = {
  readonly keyword: readonly KeywordSearch[];
  readonly metadata: readonly MetadataSearch[];
};

/** What each search found, in the order of the searches. */
export type GraphFindings = {
  readonly keyword: readonly (readonly MemoryId[])[];
  readonly metadata: readonly (readonly MetadataHit[])[];
};

/** Whole numbers, so that engines agree on equals. */
export const METADATA_WEIGHT = 1_000_000;

export type TrendingOrder = 'importance' | 'time_desc' | 'time_asc' | 'updated_desc' | 'updated_asc';

/** Read-only: what the read side and the decisions know. Every method throws DependencyError('graph') when the engine fails. */
export interface GraphReader {
  /** Resolves only when the engine really answered. */
  ping(): Promise<void>;
  /** The memories that are present, in the order of `ids`; absent ones are left out. At most 1,000 ids a call. */
  memories(ids: readonly MemoryId[]): Promise<readonly LoadedMemory[]>;
  associations(keys: readonly AssociationKey[]): Promise<readonly LoadedAssociation[]>;
  /**
   * Associations of each id with present memories, those that callers wrote before those that were derived, newest `updated_at` first in each
   * (then type, then other id), at most `limit` for each id.
   * `types`, `minStrength` (inclusive) and `excludedTypes`, of the other memory, narrow them before the limit cuts; without them all.
   */
  relations(request: {
    readonly ids: readonly MemoryId[];
    readonly direction: 'outgoing' | 'both';
    readonly types?: readonly AssociationType[];
    readonly minStrength?: number;
    readonly excludedTypes?: readonly string[];
    readonly limit: number;
  }): Promise<ReadonlyMap<MemoryId, readonly Relation[]>>;
  /** Superseding associations reachable from `ids` over at most `hops` of them; one round trip. Safe for cycles. */
  successions(ids: readonly MemoryId[], hops: number): Promise<readonly Succession[]>;
  /** `memories` and `successions` as one call, with the memories that the successions lead to. */
  lineages(ids: readonly MemoryId[], hops: number): Promise<Lineages>;
  /**
   * Memories with any of these whole tags (no regard to case): importance descending, timestamp descending, id ascending. No state
   * and no type filter.
   */
  byTag(request: { readonly tags: readonly string[]; readonly offset: number; readonly limit: number }): Promise<{
    readonly memories: readonly LoadedMemory[];
    readonly hasMore: boolean;
  }>;
  /** Ids with any of these whole tags, ascending, after `after` (exclusive; '' from the start). */
  idsByTag(request: {
    readonly tags: readonly string[];
    readonly after: string;
    readonly limit: number;
  }): Promise<readonly MemoryId[]>;
  /**
   * Ids whose content or tags hold any of the terms and that the filter admits, in the order of `rankByWords` (content weighs twice what
   * tags do) over the `hitsFor(limit)` that the engine's own relevance puts first. The filter is applied inside the search, so a narrow
   * one still fills `limit`.
   */
  keyword(search: KeywordSearch): Promise<readonly MemoryId[]>;
  /**
   * Memories that the filter admits and whose searched metadata holds any of the words. A word weighs METADATA_WEIGHT divided (whole) by the
   * number of memories that hold it; the heaviest memories come first, then importance, then timestamp, both descending, then id. Of a
   * word that more than METADATA_HOLDERS memories hold only the first so many in that order are looked at, before the filter.
   */
  metadata(search: MetadataSearch): Promise<readonly MetadataHit[]>;
  /** All of these as one call, each answered as `keyword` and `metadata` answer it alone. */
  search(searches: GraphSearches): Promise<GraphFindings>;
  /**
   * Ids that the filter admits. `importance`: importance, then timestamp, both descending. `time_*` on timestamp, `updated_*` on
   * updated_at; importance second. Ties by id ascending.
   */
  trending(request: {
    readonly filter: MemoryFilter;
    readonly order: TrendingOrder;
    readonly limit: number;
  }): Promise<readonly MemoryId[]>;
  /**
   * For each of the tags, by prefix: ids that have it and that the filter admits, importance then timestamp descending, ties by id
   * ascending, at most `limit` for each. At most 10 tags a call.
   */
  topByTag(request: {
    readonly tags: readonly string[];
    readonly filter: MemoryFilter;
    readonly limit: number;
  }): Promise<ReadonlyMap<string, readonly MemoryId[]>>;
  /** Present memories, without those of the given types, and how many of them await enrichment. */
  counts(request: { readonly excludedTypes: readonly string[] }): Promise<{
    readonly memories: number;
    readonly associations: number;
    readonly unenriched: number;
  }>;
}

export interface GraphWriter {
  /**
   * Makes the graph show these events, in the given order. Idempotent and guarded: an event whose version is not newer than the
   * subject's changes nothing, whatever the order or number of deliveries. A deleted memory keeps id and version for ever, so
   * nothing raises it again; its associations go with it, and a later association event for it is a no-op.
   */
  apply(events: readonly RecordedEvent[]): Promise<void>;
  /** `last_accessed = max(old, at)` for those present. The one write that is telemetry: no version, no event. */
  touch(ids: readonly MemoryId[], at: Timestamp): Promise<void>;
}

export type { TagFilter };
