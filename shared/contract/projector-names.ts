/** The names of the projectors: keys of their states, dead letters and consumer groups. */
export const VECTOR_INDEXER = 'vector-indexer';
export const ENRICHER = 'enricher';

/** The projectors that operators can pause and resume. */
export const PROJECTOR_NAMES = [VECTOR_INDEXER, ENRICHER] as const;

/** Without a position, because it listens to activity: operators cannot pause it, no status route lists it. */
export const ACCESS_RECORDER = 'access-recorder';

/** It has no position either: it compares graph and vector index on its schedule. */
export const DRIFT_REPAIRER = 'drift-repairer';

/** The listener of the vector indexer for requests to write points again. */
export const REINDEXER = 'vector-reindexer';

/** Of dead letters of the commit: events that the graph could not apply. They can only be redriven. */
export const COMMIT_LETTERS = 'commit';

/** Of dead letters of the relay: applied events that the stream refuses. They can only be redriven. */
export const RELAY_LETTERS = 'relay';

/** It has no position: it starts consolidation on its schedule. */
export const CONSOLIDATOR = 'consolidator';

/** It has no position: it removes vectors from the embedding cache that nothing needs. */
export const CACHE_CLEANER = 'cache-cleaner';

/** Each webhook has a position of its own, which the webhook shows. */
export const WEBHOOK_SENDER = 'webhook-sender';
