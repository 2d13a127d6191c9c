/** Fixed limits of the contract. The limits that a deployment can change are in the configuration of each process. */
export const BATCH_LIMIT = 500;
export const METADATA_LIMIT_BYTES = 64 * 1024;
/** Deeper objects would overflow the stack of the serializers. */
export const METADATA_DEPTH_LIMIT = 64;
export const TAG_LIMIT = 100;
export const TAG_LENGTH_LIMIT = 256;
/** Each level of a tag is a prefix that both engines keep and search. */
export const TAG_LEVELS_LIMIT = 16;
/** Levels of all tags of one batch: it is one transaction, and 60,000 take it 0.3 s. */
export const BATCH_TAG_LEVELS_LIMIT = 60_000;
/** Of the largest body, a batch of memories. BODY_LIMITS has those of every other body. */
export const BODY_LIMIT_BYTES = 32 * 1024 * 1024;
/** A body with more chunks has chunks of SMALL_CHUNK_BYTES or more on average. */
export const CHUNKS_LIMIT = 4_096;
export const SMALL_CHUNK_BYTES = 64;
export const QUERY_STRING_LIMIT_BYTES = 64 * 1024;
/**
 * Values of one list in a query. The full-text index of the distributed composition takes 1,000 clauses: 200 for tags,
 * 400 for excluded tags and 128 for words leave room for the rest of a filter.
 */
export const LIST_LIMIT = 200;
/** UTF-16 units of a query that count; small, because a caller waits for it. */
export const QUERY_LENGTH_LIMIT = 4_096;
/** Queries of one recall: each asks every source once. */
export const QUERIES_LIMIT = 10;
/** Below the limit of Kafka, which rejects a message above 1 MB. */
export const ENVELOPE_LIMIT_BYTES = 900 * 1024;
export const BULK_DELETE_ROUND = 200;
/**
 * Associations of one memory among which a read selects. Of a memory with more, it reads the strongest alone: those
 * that callers wrote, then derived ones. A read that shows more reads as many as it shows.
 */
export const RELATIONS_READ = 200;
export const SUPERSESSION_HOPS = 5;
export const BY_TAG_LIMIT = 200;
/** Memories that one page of a listing reads in the order of its index to find those that its filter admits. */
export const LIST_SCAN_LIMIT = 20_000;
/** Largest size of the memories in one page of a listing. A page always contains its first memory. */
export const LIST_BYTES_LIMIT = 1024 * 1024;
/** Memories of a listing that are counted by type and tag. */
export const LIST_FACETS_LIMIT = 5_000;
/** Tags whose counts a listing shows. */
export const LIST_FACET_TAGS = 20;
/** The most important memories that are read for one word in the metadata, unless a filter admits few. */
export const METADATA_HOLDERS = 1_000;
/** Dead letters that one request lists, redrives or discards. */
export const DEAD_LETTERS_LIMIT = 500;
export const IDEMPOTENCY_KEY_LENGTH_LIMIT = 255;
/** Events in one answer of the feed. */
export const FEED_LIMIT = 1_000;
/** Largest size of one answer of the feed. An answer always contains its first event. */
export const FEED_BYTES_LIMIT = 8 * 1024 * 1024;
/** Positions that one request of the feed reads to find events of its types. */
export const FEED_SCAN_LIMIT = 20_000;
export const FEED_WAIT_LIMIT_SECONDS = 30;
export const HISTORY_LIMIT = 200;

export type BodyLimits = {
  readonly bytes: number;
  /** Nested ones included. */
  readonly values: number;
  /** The names of all objects, nested ones included. */
  readonly names: number;
  /** The work of the request, in the units of `Operation.cost`, for each MB of its body. */
  readonly unitsPerMegabyte: number;
};

export type BodyKind = keyof typeof BODY_LIMITS;

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/**
 * The limits of each kind of request body. They keep a body at about 250 ms of the main thread, in slices of 8 ms.
 * Text costs about 7 ms for each MB, a value up to 0.4 us, and a name of an object up to 1.2 us, because the parser and
 * every copy keep an index of the names. See decision 17.
 */
export const BODY_LIMITS = {
  /**
   * One memory. Bytes: its largest envelope with every character escaped (5.4 MB), and an embedding. Values: an
   * embedding takes one for each dimension. Names: more than metadata of 64 KB can have.
   */
  memory: { bytes: 6 * MEGABYTE, values: 100_000, names: 16_000, unitsPerMegabyte: 30 },
  /** 500 memories, each with 120 names, 64 KB of text and an embedding of 1,536 numbers, which is ignored. */
  memories: { bytes: BODY_LIMIT_BYTES, values: 800_000, names: 60_000, unitsPerMegabyte: 1_000 },
  /** 500 associations with 4 KB of properties each, or one with the most properties, 64 KB. */
  associations: { bytes: 2 * MEGABYTE, values: 50_000, names: 20_000, unitsPerMegabyte: 2_000 },
  /**
   * Messages of MCP: 500 memories of 2,000 characters, each with 400 values and 30 names. Larger batches go to the
   * service itself. The work is that of the bridge, whose libraries parse a message as a whole.
   */
  mcp: { bytes: 4 * MEGABYTE, values: 200_000, names: 15_000, unitsPerMegabyte: 300 },
  /** Ids and a few settings: 500 ids take 20 KB. */
  small: { bytes: 64 * KILOBYTE, values: 2_000, names: 100, unitsPerMegabyte: 0 },
  /** Commands of our own processes. */
  internal: { bytes: BODY_LIMIT_BYTES, values: 600_000, names: 200_000, unitsPerMegabyte: 0 },
} as const satisfies Readonly<Record<string, BodyLimits>>;
/** Keys of one tenant. */
export const KEYS_LIMIT = 1_000;
export const KEY_NAME_LIMIT = 64;
/** How long the key before a rotation still works, in hours. */
export const KEY_OVERLAP_HOURS = 24;
export const KEY_OVERLAP_HOURS_LIMIT = 168;
/** The highest rate of a key. */
export const KEY_REQUESTS_PER_MINUTE_LIMIT = 1_000_000;
/** The requests of a key with a rate are counted in windows of this length. */
export const KEY_WINDOW_MS = 60_000;
/** Tenants of one deployment, in addition to the default one. */
export const TENANTS_LIMIT = 10_000;
export const TENANT_NAME_LIMIT = 40;
export const TENANT_REASON_LIMIT = 500;
/** The requests of a tenant with a rate are counted in windows of this length. */
export const TENANT_WINDOW_MS = 60_000;
