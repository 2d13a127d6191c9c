/** Classifies the observed numbers: sync status and health status. Work in flight is not drift. Pure. */
import type { Observation } from './observe.js';

export type SyncStatus = 'unknown' | 'synced' | 'drift_detected' | 'orphaned_vectors';

/**
 * Different counts mean something only when they differ by more than the events in flight. A memory that could not be indexed is always
 * drift. `inFlight` is a sound bound also under load: the positions of the indexer are read before the counts, the head after them.
 */
export function syncStatusOf({ memories, vectors, inFlight, isQuiet, unindexed }: Observation): SyncStatus {
  if (memories === null || vectors === null) return 'unknown';
  if ((unindexed ?? 0) > 0) return 'drift_detected';
  const unexplained = isQuiet ? 0 : (inFlight ?? Infinity);
  if (memories - vectors > unexplained) return 'drift_detected';
  return vectors - memories > unexplained ? 'orphaned_vectors' : 'synced';
}

/** An outbox row that waits longer than this for the graph or the stream is delayed. */
const OUTBOX_DELAY_LIMIT_MS = 30_000;

/**
 * `degraded`: an engine does not answer, vectors are missing, the graph is empty under an index with vectors, no indexer runs, the outbox does
 * not move, the commit has dead letters, or another problem was observed.
 */
export function healthStatusOf(observation: Observation): 'healthy' | 'degraded' {
  const { graphAnswers, vectorsAnswer, journalAnswers, isIndexing, outbox } = observation;
  const isMoving = isIndexing === true && (outbox?.oldestMs ?? 0) < OUTBOX_DELAY_LIMIT_MS && (outbox?.dead ?? 0) === 0;
  const allAnswer = graphAnswers && vectorsAnswer && journalAnswers;
  return allAnswer && isMoving && observation.problems.length === 0 && hasAllMemories(observation)
    ? 'healthy'
    : 'degraded';
}

/** Orphaned vectors alone are harmless. All vectors orphaned means that the graph lost its memories. */
function hasAllMemories(observation: Observation): boolean {
  const sync = syncStatusOf(observation);
  return sync !== 'drift_detected' && !(sync === 'orphaned_vectors' && observation.memories === 0);
}
