/** What the observed numbers mean, pure. Work in flight is not drift. */
import type { Observation } from './observe.js';

export type SyncStatus = 'unknown' | 'synced' | 'drift_detected' | 'orphaned_vectors';

/** Unequal counts say something only while nothing is under way; a memory that could not be indexed is drift at any time. */
export function syncStatusOf({ memories, vectors, isQuiet, unindexed }: Observation): SyncStatus {
  if (memories === null || vectors === null) return 'unknown';
  if ((unindexed ?? 0) > 0) return 'drift_detected';
  if (!isQuiet || vectors === memories) return 'synced';
  return vectors < memories ? 'drift_detected' : 'orphaned_vectors';
}

/** What waits longer than this for the graph or the stream is held up, not on its way. */
const OUTBOX_HELD_UP_MS = 30_000;

/** Something that was promised is not being done: a store is away, vectors are missing, nobody makes them, or nobody passes events on. */
export function healthStatusOf(observation: Observation): 'healthy' | 'degraded' {
  const { graphAnswers, vectorsAnswer, journalAnswers, isIndexing, outbox } = observation;
  const isMoving = isIndexing === true && (outbox?.oldestMs ?? 0) < OUTBOX_HELD_UP_MS;
  return graphAnswers && vectorsAnswer && journalAnswers && isMoving && syncStatusOf(observation) !== 'drift_detected'
    ? 'healthy'
    : 'degraded';
}
