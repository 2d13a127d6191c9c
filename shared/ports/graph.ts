/**
 * The graph ports. The graph is the source of truth for the current state of a memory; only the command side writes it.
 */
import type { Association, AssociationKey, AssociationType, SupersedingType } from '../contract/association.js';
import type { EntityKey, EntityRecord } from '../contract/entities/entity.js';
import type { RecordedEvent } from '../contract/events.js';
import type { MemoryFilter, TagFilter } from '../contract/filter.js';
import type { Memory, MemoryId, MemorySummary, Timestamp } from '../contract/memory.js';
import type { MetadataValue } from '../contract/metadata-fields.js';

export type LoadedMemory = {
  readonly memory: Memory;
  readonly vectorRef: string | null;
  readonly version: number;
  readonly revision: number;
  /**
   * The position of its `memory.stored`: the order of writing. 0 for a memory of a release that kept no positions,
   * until a replay of the journal.
   */
  readonly position: number;
};

/** What the graph keeps of a deleted memory. */
export type Tombstone = Pick<LoadedMemory, 'version' | 'revision'>;

export type LoadedAssociation = {
  readonly association: Association;
  readonly version: number;
  readonly revision: number;
};

export type LoadedEntity = {
  readonly entity: EntityRecord;
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

/** An association to follow: without its properties, and of the other memory only what gives memories an order. */
export type Step = Pick<Relation, 'type' | 'direction' | 'strength'> & {
  readonly memory: Pick<MemorySummary, 'id' | 'importance' | 'timestamp'>;
};

export type RelationsRequest = {
  readonly ids: readonly MemoryId[];
  readonly direction: 'outgoing' | 'both';
  readonly types?: readonly AssociationType[];
  readonly minStrength?: number;
  readonly excludedTypes?: readonly string[];
  readonly within?: Within;
  readonly limit: number;
};

/** A canonical tag that a memory must have, or one below it, as in MemoryFilter; absent or null: no condition. */
export type Within = MemoryFilter['within'];

/** One superseding association, with the fields that decide whether its target is active. */
export type Succession = {
  readonly source: MemoryId;
  readonly target: MemoryId;
  readonly type: SupersedingType;
  readonly strength: number;
  readonly updated_at: Timestamp;
  readonly targetState: Pick<Memory, 'archived' | 't_valid' | 't_invalid'>;
};

/** Memories together with the memories that superseded them. */
export type Lineages = {
  readonly memories: readonly LoadedMemory[];
  readonly successions: readonly Succession[];
  /**
   * Present targets of the successions that are not among the requested ids; at most SUCCESSOR_LIMIT, an arbitrary
   * choice if there are more.
   */
  readonly successors: readonly LoadedMemory[];
};

/**
 * A recall of a thousand candidates has some dozens of successors. Reading more costs more than a second call for the
 * missing ones.
 */
export const SUCCESSOR_LIMIT = 200;

export type KeywordSearch = {
  /** Analysed terms (`shared/text/analyzer`), distinct, in the order of the query: 1 to 64. */
  readonly terms: readonly string[];
  readonly filter: MemoryFilter;
  readonly limit: number;
};

export type MetadataSearch = {
  /** As `searchWords` (`shared/text/metadata-values`) spells them, distinct: 1 to 12. */
  readonly words: readonly string[];
  /** An engine may leave out memories that hold fewer of the words. */
  readonly minimumWords?: number;
  readonly filter: MemoryFilter;
  /** At most 1,000. */
  readonly limit: number;
};

/** A memory with its searched metadata. */
export type MetadataHit = { readonly id: MemoryId; readonly values: readonly MetadataValue[] };

/** The searches of one request; at most 40 of each kind. */
export type GraphSearches = {
  readonly keyword: readonly KeywordSearch[];
  readonly metadata: readonly MetadataSearch[];
};

/** The results of each search, in the order of the searches. */
export type GraphFindings = {
  readonly keyword: readonly (readonly MemoryId[])[];
  readonly metadata: readonly (readonly MetadataHit[])[];
};

/** Weights are integers, so that all engines agree on ties. */
export const METADATA_WEIGHT = 1_000_000;
/**
 * A filter that admits at most this many memories has all of them searched, however many other memories hold the words.
 */
export const METADATA_PART = 2_000;

/** The most successors of one memory that a read follows, those associated last; a memory mostly has one. */
export const SUCCESSORS_READ = 250;

/** A memory with more associations is a hub: its deletion hides them and leaves them to `clearHub`. */
export const HUB_SIZE = 100;
/** Associations that one `clearHub` removes, in one transaction. Neo4j takes 0.8 s for it on a very busy machine. */
export const HUB_BATCH = 1_000;

export type TrendingOrder = 'importance' | 'time_desc' | 'time_asc' | 'updated_desc' | 'updated_asc';

/** Reads for the read side and for decisions. Every method throws DependencyError('graph') when the engine fails. */
export interface GraphReader {
  /** Resolves only after a reply of the engine. */
  ping(): Promise<void>;
  /** The present memories, in the order of `ids`, without absent ones. At most 1,000 ids in one call. */
  memories(ids: readonly MemoryId[]): Promise<readonly LoadedMemory[]>;
  /** The last version and revision of each deleted memory among `ids`. At most 1,000 ids in one call. */
  tombstones(ids: readonly MemoryId[]): Promise<ReadonlyMap<MemoryId, Tombstone>>;
  associations(keys: readonly AssociationKey[]): Promise<readonly LoadedAssociation[]>;
  /**
   * Associations of each id with present memories, at most `limit` for each id. Associations written by callers come
   * before derived ones; in both groups newest `updated_at` first, then type, then other id. `types`, `minStrength`
   * (inclusive), `excludedTypes` (of the other memory) and `within` (of both) filter before the limit. Of a memory with
   * more than RELATIONS_READ associations, only as many of these are read, or `limit` if it is more: those of callers
   * first, then the strongest.
   */
  relations(request: RelationsRequest): Promise<ReadonlyMap<MemoryId, readonly Relation[]>>;
  /**
   * What `relations` returns in both directions, for a caller that follows the associations and shows few of their
   * memories: no body is read.
   */
  steps(request: Omit<RelationsRequest, 'direction'>): Promise<ReadonlyMap<MemoryId, readonly Step[]>>;
  /**
   * The associations of these types that connect two of these memories, in any order. Of a memory with very many
   * associations of these types an engine may see some 1,000. At most 500 ids.
   */
  among(request: {
    readonly ids: readonly MemoryId[];
    readonly types: readonly AssociationType[];
  }): Promise<readonly AssociationKey[]>;
  /** The records of these entities, by key ascending; an entity without a record is absent. At most 5,000 keys. */
  entities(keys: readonly EntityKey[]): Promise<readonly LoadedEntity[]>;
  /**
   * All records of entities, by `category:slug` ascending. `after`: that of the last record of the page before, '' for
   * the first page.
   */
  entityPage(request: { readonly after: string; readonly limit: number }): Promise<readonly LoadedEntity[]>;
  /**
   * Superseding associations that can be reached from `ids` over at most `hops` associations; one round trip. Safe for
   * cycles. At most SUCCESSORS_READ of one memory, the newest; an engine may bound their number in all.
   */
  successions(ids: readonly MemoryId[], hops: number): Promise<readonly Succession[]>;
  /** `memories` and `successions` in one call, together with the targets of the successions. */
  lineages(ids: readonly MemoryId[], hops: number): Promise<Lineages>;
  /**
   * Memories with any of these whole tags, ignoring case: importance descending, timestamp descending, id ascending.
   * Includes every state and every type. `within` filters before the page.
   */
  byTag(request: {
    readonly tags: readonly string[];
    readonly within?: Within;
    readonly offset: number;
    readonly limit: number;
  }): Promise<{
    readonly memories: readonly LoadedMemory[];
    readonly hasMore: boolean;
  }>;
  /** Ids of memories with any of these whole tags, ascending, after `after` (exclusive; '' starts at the first id). */
  idsByTag(request: {
    readonly tags: readonly string[];
    readonly within?: Within;
    readonly after: string;
    readonly limit: number;
  }): Promise<readonly MemoryId[]>;
  /**
   * Ids of memories that the filter admits and whose content or tags hold any of the terms. The engine selects
   * `hitsFor(search)` hits by its own relevance, then `rankByWords` orders them (a term in the content weighs twice as
   * much as in the tags). The filter is applied inside the search, so a narrow one still fills `limit`.
   */
  keyword(search: KeywordSearch): Promise<readonly MemoryId[]>;
  /**
   * Memories that the filter admits and whose searched metadata holds any of the words. The weight of a word is
   * METADATA_WEIGHT divided by the number of admitted memories that hold it, rounded down. Order: highest sum of
   * weights, then importance, then timestamp, all descending, then id. If more than METADATA_HOLDERS memories hold a
   * word and the filter is not selective or admits more than METADATA_PART memories, only the first METADATA_HOLDERS of
   * them in that order count, before the filter.
   */
  metadata(search: MetadataSearch): Promise<readonly MetadataHit[]>;
  /** Several searches in one call. Each result equals the result of `keyword` or `metadata` alone. */
  search(searches: GraphSearches): Promise<GraphFindings>;
  /**
   * Ids of memories that the filter admits. `importance` orders by importance, then timestamp, both descending.
   * `time_*` orders by timestamp and `updated_*` by updated_at, then by importance. Ties by id ascending.
   */
  trending(request: {
    readonly filter: MemoryFilter;
    readonly order: TrendingOrder;
    readonly limit: number;
  }): Promise<readonly MemoryId[]>;
  /** For each window: what `trending` in the order `time_desc` returns for it. At most 100 windows in one call. */
  newestWithin(request: {
    /** Both bounds are inclusive. */
    readonly windows: readonly { readonly start: Timestamp; readonly end: Timestamp }[];
    readonly filter: Omit<MemoryFilter, 'start' | 'end' | 'tags' | 'within' | 'excludeTags'>;
    readonly limit: number;
  }): Promise<readonly (readonly MemoryId[])[]>;
  /**
   * For each tag prefix: ids of memories that have it and that the filter admits, importance then timestamp descending,
   * ties by id ascending, at most `limit` for each. At most 10 tags in one call.
   */
  topByTag(request: {
    readonly tags: readonly string[];
    readonly filter: MemoryFilter;
    readonly limit: number;
  }): Promise<ReadonlyMap<string, readonly MemoryId[]>>;
  /**
   * Counts present memories, except memories of the given types, and how many of them await enrichment. Associations of
   * a deleted hub count until `clearHub` has removed them.
   */
  counts(request: { readonly excludedTypes: readonly string[] }): Promise<{
    readonly memories: number;
    readonly associations: number;
    readonly unenriched: number;
  }>;
}

export interface GraphWriter {
  /**
   * Applies these events to the graph, in the given order. Idempotent and guarded by versions: an event changes
   * nothing unless its version is newer than the version of its subject, in any order and number of deliveries. A
   * deleted memory keeps id and version, so no late event restores it: only a `memory.stored` with a newer version
   * does, without its former associations. A `memory.stored` without data gives its position, and nothing else. The
   * associations of a memory are deleted with it, and a later association event for it has no effect. No read returns
   * an association of a deleted hub, although `clearHub` removes it later. Also moves the mark of the graph
   * (`graph-mark.ts`) to the last of these events, in the same transaction as that event. A server ends each
   * transaction after `limits.timeoutMs`, or after its configured time if that is shorter; the embedded graph has no
   * such limit. Throws a reachable DependencyError, and changes nothing, if this release does not know one of the
   * events (`known-events.ts`).
   */
  apply(events: readonly RecordedEvent[], limits?: { readonly timeoutMs: number }): Promise<void>;
  /**
   * Removes about HUB_BATCH associations of one deleted hub. Returns false when no deleted hub has any. Idempotent, so
   * several processes may call it at the same time, and a call after a crash continues.
   */
  clearHub(): Promise<boolean>;
  /**
   * Sets `last_accessed` of present memories to the later of the old value and `at`. Telemetry: no version changes and
   * no event is made.
   */
  recordAccess(ids: readonly MemoryId[], at: Timestamp): Promise<void>;
}

export type { TagFilter };
