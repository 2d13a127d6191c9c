/** Limits of the contract that no deployment changes. Those that one may change are in the configuration of each room. */
export const BATCH_LIMIT = 500;
export const METADATA_LIMIT_BYTES = 64 * 1024;
/** Deeper objects overflow the stack of what writes them out. */
export const METADATA_DEPTH_LIMIT = 64;
export const TAG_LIMIT = 100;
export const TAG_LENGTH_LIMIT = 256;
export const BODY_LIMIT_BYTES = 32 * 1024 * 1024;
export const QUERY_STRING_LIMIT_BYTES = 64 * 1024;
/** Kafka refuses a message above 1 MB; an envelope stays well below. */
export const ENVELOPE_LIMIT_BYTES = 900 * 1024;
export const BULK_DELETE_ROUND = 200;
export const SUPERSESSION_HOPS = 5;
export const BY_TAG_LIMIT = 200;
/** Of the memories with one word in their metadata, so many are looked at, the most important. */
export const METADATA_HOLDERS = 1_000;
/** Dead letters that are listed, redriven or discarded by one request. */
export const DEAD_LETTERS_LIMIT = 500;
export const IDEMPOTENCY_KEY_LENGTH_LIMIT = 255;
/** Events, or versions, in one answer of the feed. */
export const FEED_LIMIT = 1_000;
/** An answer of the feed ends before what would make it larger; its first event always fits. */
export const FEED_BYTES_LIMIT = 8 * 1024 * 1024;
/** Positions that one request of the feed looks at for events of its types. */
export const FEED_SCAN_LIMIT = 20_000;
export const FEED_WAIT_LIMIT_SECONDS = 30;
export const HISTORY_LIMIT = 200;
