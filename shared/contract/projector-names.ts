/** The projectors of the service, by the names under which their states, dead letters and consumer groups are kept. */
export const VECTOR_INDEXER = 'vector-indexer';
export const ENRICHER = 'enricher';

/** Those that are paused and resumed by name. */
export const PROJECTOR_NAMES = [VECTOR_INDEXER, ENRICHER] as const;

/** Keeps no position, so it is neither steered nor seen: it listens in passing. */
export const ACCESS_RECORDER = 'access-recorder';
