/** Converts a stored row to a run. The columns have the same names in both databases. */
import type { ConsolidationTask } from '../../contract/consolidation/consolidate.js';
import type { ConsolidationRun } from '../../ports/consolidation-records.js';

export type RunRow = {
  readonly id: string;
  readonly mode: string;
  /** Separated by commas. */
  readonly tasks: string;
  readonly success: boolean | number;
  readonly started_at: string;
  readonly completed_at: string;
  readonly result: string;
};

export function runOfRow({ id, mode, tasks, success, started_at, completed_at, result }: RunRow): ConsolidationRun {
  return {
    id,
    mode,
    tasks: tasks === '' ? [] : (tasks.split(',') as ConsolidationTask[]), // as `record` wrote them
    success: Boolean(success),
    startedAt: started_at,
    completedAt: completed_at,
    result,
  };
}
