/** Judges the observed numbers: sync status and health status. Work in flight is not drift. Pure. */
import type { Observation } from './observe.js';

export type SyncStatus = 'unknown' | 'synced' | 'drift_detected' | 'orphaned_vectors';

/** Different counts mean something only when nothing is in flight. A memory that could not be indexed is always drift. */
export function syncStatusOf({ memories, vectors, isQuiet, unindexed }: Observation): SyncStatus {
  if (memories === null || vectors === null) return 'unknown';
  if ((unindexed ?? 0) > 0) return 'drift_detected';
  if (!isQuiet || vectors === memories) return 'synced';
  return vectors < memories ? 'drift_detected' : 'orphaned_vectors';
}

/** An outbox row that waits longer than this for the graph or the stream is delayed. */
const OUTBOX_DELAY_LIMIT_MS = 30_000;

/** `degraded`: an engine does not answer, vectors are missing, no indexer runs, the outbox does not move, or the commit has dead letters. */
export function healthStatusOf(observation: Observation): 'healthy' | 'degraded' {
  const { graphAnswers, vectorsAnswer, journalAnswers, isIndexing, outbox } = observation;
  const isMoving = isIndexing === true && (outbox?.oldestMs ?? 0) < OUTBOX_DELAY_LIMIT_MS && (outbox?.dead ?? 0) === 0;
  return graphAnswers && vectorsAnswer && journalAnswers && isMoving && syncStatusOf(observation) !== 'drift_detected'
    ? 'healthy'
    : 'degraded';
}
