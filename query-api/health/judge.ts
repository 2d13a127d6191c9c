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

export function healthStatusOf(observation: Observation): 'healthy' | 'degraded' {
  const { graphAnswers, vectorsAnswer } = observation;
  return graphAnswers && vectorsAnswer && syncStatusOf(observation) !== 'drift_detected' ? 'healthy' : 'degraded';
}
