/** The records of consolidation. */
import type { ConsolidationTask } from '../../../contract/consolidation/consolidate.js';
import type { ConsolidationRecords, ConsolidationRun } from '../../../ports/consolidation-records.js';
import type { Sql } from './sql.js';

export function createConsolidationRecords(sql: Sql): ConsolidationRecords {
  /** SQLite needs the WHERE before an ON CONFLICT. */
  const insertTasks = `INSERT INTO consolidation_tasks SELECT value, $2 FROM ${sql.dialect.items('$1')} WHERE true`;
  return {
    begin: async (tasks, at) =>
      void (await sql.write('begin_tasks', `${insertTasks} ON CONFLICT DO NOTHING`, [tasks, at])),
    lastRuns: async () => {
      const text = 'SELECT task, last_run FROM consolidation_tasks';
      const rows = await sql.read<{ task: ConsolidationTask; last_run: string }>('last_runs', text);
      return new Map(rows.map(({ task, last_run: lastRun }) => [task, lastRun]));
    },
    record: async ({ id, mode, tasks, success, startedAt, completedAt, result }, keep) =>
      void (await sql.transaction([
        [
          'add_run',
          `INSERT INTO consolidation_runs (id, mode, tasks, success, started_at, completed_at, result)
           VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
          [id, mode, tasks.join(','), success, startedAt, completedAt, result],
        ],
        [
          'move_last_runs',
          `${insertTasks} ON CONFLICT (task) DO UPDATE SET last_run = excluded.last_run
           WHERE consolidation_tasks.last_run < excluded.last_run`,
          [tasks, completedAt],
        ],
        [
          'remove_oldest_runs',
          `DELETE FROM consolidation_runs
           WHERE number <= (SELECT number FROM consolidation_runs ORDER BY number DESC LIMIT 1 OFFSET $1)`,
          [keep],
        ],
      ])),
    history: async (limit) => {
      const text = 'SELECT * FROM consolidation_runs ORDER BY number DESC LIMIT $1';
      return (await sql.read<RunRow>('history', text, [limit])).map(runOfRow);
    },
  };
}

type RunRow = {
  readonly id: string;
  readonly mode: string;
  /** Separated by commas. */
  readonly tasks: string;
  readonly success: boolean | number;
  readonly started_at: string;
  readonly completed_at: string;
  readonly result: string;
};

function runOfRow({ id, mode, tasks, success, started_at, completed_at, result }: RunRow): ConsolidationRun {
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
