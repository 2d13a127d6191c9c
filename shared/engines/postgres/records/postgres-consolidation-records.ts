/** The records of consolidation in Postgres. */
import type { ConsolidationTask } from '../../../contract/consolidation/consolidate.js';
import type { ConsolidationRecords } from '../../../ports/consolidation-records.js';
import { runOfRow, type RunRow } from '../../sql/run-of-row.js';
import { type Postgres, statement } from '../connection/postgres.js';
import { consolidationMigrations } from '../schema/consolidation.js';

const BEGIN = statement(
  consolidationMigrations,
  'begin_tasks',
  'INSERT INTO consolidation_tasks SELECT task, $2 FROM unnest($1::text[]) AS task ON CONFLICT DO NOTHING',
);
const LAST_RUNS = statement(consolidationMigrations, 'last_runs', 'SELECT task, last_run FROM consolidation_tasks');
const ADD_RUN = statement(
  consolidationMigrations,
  'add_run',
  `INSERT INTO consolidation_runs (id, mode, tasks, success, started_at, completed_at, result)
   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
);
const MOVE_LAST_RUNS = statement(
  consolidationMigrations,
  'move_last_runs',
  `INSERT INTO consolidation_tasks AS known SELECT task, $2 FROM unnest($1::text[]) AS task
   ON CONFLICT (task) DO UPDATE SET last_run = greatest(known.last_run, excluded.last_run)`,
);
const REMOVE_OLDEST = statement(
  consolidationMigrations,
  'remove_oldest_runs',
  `DELETE FROM consolidation_runs
   WHERE number <= (SELECT number FROM consolidation_runs ORDER BY number DESC LIMIT 1 OFFSET $1)`,
);
const HISTORY = statement(
  consolidationMigrations,
  'history',
  `SELECT id, mode, tasks, success, started_at, completed_at, result FROM consolidation_runs ORDER BY number DESC LIMIT $1`,
);

export function createPostgresConsolidationRecords({
  postgres,
}: {
  readonly postgres: Postgres;
}): ConsolidationRecords {
  return {
    begin: async (tasks, at) => void (await postgres.query(BEGIN, [tasks, at])),
    lastRuns: async () => {
      const { rows } = await postgres.query<{ task: ConsolidationTask; last_run: string }>(LAST_RUNS);
      return new Map(rows.map(({ task, last_run: lastRun }) => [task, lastRun]));
    },
    record: ({ id, mode, tasks, success, startedAt, completedAt, result }, keep) =>
      postgres.transaction(async (transaction) => {
        await transaction.query(ADD_RUN, [id, mode, tasks.join(','), success, startedAt, completedAt, result]);
        await transaction.query(MOVE_LAST_RUNS, [tasks, completedAt]);
        await transaction.query(REMOVE_OLDEST, [keep]);
      }),
    history: async (limit) => (await postgres.query<RunRow>(HISTORY, [limit])).rows.map(runOfRow),
  };
}
