/** The port of the locks that keep maintenance to one at a time in a deployment. */

/**
 * `sync`: one comparison and repair. `drift-repairer`: the one process that follows the schedule. `rebuild-graph`: one
 * replay of the journal. `job`: the one process that runs a job. `consolidator`: the one process that starts
 * consolidation when it is due. `cache-cleaner`: the one process that cleans the embedding cache. `webhook-sender`: the
 * one process that sends webhooks.
 */
export type MaintenanceTask =
  'sync' | 'drift-repairer' | 'rebuild-graph' | 'job' | 'consolidator' | 'cache-cleaner' | 'webhook-sender';

export interface MaintenanceLock {
  /** Null when the lock is held. A process that dies loses its locks. */
  take(task: MaintenanceTask): Promise<HeldTask | null>;
}

export type HeldTask = {
  /** Aborted when the lock is lost or released. */
  readonly lost: AbortSignal;
  readonly release: () => Promise<void>;
};
