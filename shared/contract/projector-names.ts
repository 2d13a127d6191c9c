/** The names of the projectors: keys of their states, dead letters and consumer groups. */
export const VECTOR_INDEXER = 'vector-indexer';
export const ENRICHER = 'enricher';

/** The projectors that operators can pause and resume. */
export const PROJECTOR_NAMES = [VECTOR_INDEXER, ENRICHER] as const;

/**
 * It has no position, because it listens to activity. So operators cannot pause it, and status routes do not list it.
 */
export const ACCESS_RECORDER = 'access-recorder';

/** It has no position either: it compares graph and vector index on its schedule. */
export const DRIFT_REPAIRER = 'drift-repairer';

/** The listener of the vector indexer for requests to write points again. */
export const REINDEXER = 'vector-reindexer';

/**
 * The projector's name of the dead letters of the commit: committed events that the graph could not apply. They can
 * only be redriven.
 */
export const COMMIT_LETTERS = 'commit';

/** It has no position: it starts consolidation on its schedule. */
export const CONSOLIDATOR = 'consolidator';
