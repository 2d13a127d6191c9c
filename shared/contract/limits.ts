/** Fixed limits of the contract. The limits that a deployment can change are in the configuration of each room. */
export const BATCH_LIMIT = 500;
export const METADATA_LIMIT_BYTES = 64 * 1024;
/** Deeper objects would overflow the stack of the serializers. */
export const METADATA_DEPTH_LIMIT = 64;
export const TAG_LIMIT = 100;
export const TAG_LENGTH_LIMIT = 256;
export const BODY_LIMIT_BYTES = 32 * 1024 * 1024;
/** Of a body with one memory: its largest envelope with every character escaped. */
export const MEMORY_BODY_LIMIT_BYTES = 8 * 1024 * 1024;
/** Values in a body, nested ones included: 500 memories with 100 tags and much metadata each take a tenth. */
export const BODY_VALUES_LIMIT = 1_000_000;
/** Of a body with one memory. An embedding takes one value for each dimension. */
export const MEMORY_BODY_VALUES_LIMIT = 100_000;
export const QUERY_STRING_LIMIT_BYTES = 64 * 1024;
/**
 * Values of one list in a query. The full-text index of the distributed composition takes 1,000 clauses: 200 for tags, 400 for excluded tags
 * and 128 for words leave room for the rest of a filter.
 */
export const LIST_LIMIT = 200;
/** Queries of one recall: each asks every source once. */
export const QUERIES_LIMIT = 10;
/** Below the limit of Kafka, which rejects a message above 1 MB. */
export const ENVELOPE_LIMIT_BYTES = 900 * 1024;
export const BULK_DELETE_ROUND = 200;
export const SUPERSESSION_HOPS = 5;
export const BY_TAG_LIMIT = 200;
/** Memories that are read for one word in the metadata: the most important ones. A filter that admits few memories has no such limit. */
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
