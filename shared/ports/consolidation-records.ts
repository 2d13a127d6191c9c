/**
 * The port of what consolidation remembers between its runs: when each task last ran, and the last runs. Stored next to
 * the jobs.
 */
import type { ConsolidationTask } from '../contract/consolidation/consolidate.js';
import type { Timestamp } from '../contract/memory.js';

/** A run that was not dry. */
export type ConsolidationRun = {
  /** The id of its job. */
  readonly id: string;
  readonly mode: string;
  readonly tasks: readonly ConsolidationTask[];
  readonly success: boolean;
  readonly startedAt: Timestamp;
  readonly completedAt: Timestamp;
  /** The consolidation of the answer, as JSON. */
  readonly result: string;
};

/** Every method throws DependencyError('journal') when the database does not answer. */
export interface ConsolidationRecords {
  /**
   * Tasks that never ran count as run at this time, so that a new deployment waits for a whole interval. Keeps the
   * times that it has.
   */
  begin(tasks: readonly ConsolidationTask[], at: Timestamp): Promise<void>;
  lastRuns(): Promise<ReadonlyMap<ConsolidationTask, Timestamp>>;
  /** Adds the run once, moves the last runs of its tasks, and removes the oldest runs above `keep`. */
  record(run: ConsolidationRun, keep: number): Promise<void>;
  /** The newest first. */
  history(limit: number): Promise<readonly ConsolidationRun[]>;
}
