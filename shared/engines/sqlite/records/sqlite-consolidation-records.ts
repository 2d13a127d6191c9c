/** The records of consolidation in SQLite. */
import type { ConsolidationTask } from '../../../contract/consolidation/consolidate.js';
import type { Timestamp } from '../../../contract/memory.js';
import type { ConsolidationRecords, ConsolidationRun } from '../../../ports/consolidation-records.js';
import { runOfRow, type RunRow } from '../../sql/run-of-row.js';
import { procedure, type SqliteHost } from '../threads/host.js';

export function createSqliteConsolidationRecords({ host }: { readonly host: SqliteHost }): ConsolidationRecords {
  return {
    begin: (tasks, at) => host.write(beginTasks, { tasks, at }),
    lastRuns: async () => new Map(await host.read(readLastRuns, null)),
    record: (run, keep) => host.write(recordRun, { run, keep }),
    history: async (limit) => (await host.read(readHistory, limit)).map(runOfRow),
  };
}

type Begin = { readonly tasks: readonly ConsolidationTask[]; readonly at: Timestamp };

export const beginTasks = procedure(import.meta.url, 'beginTasks', (database, { tasks, at }: Begin): void => {
  for (const task of tasks) database.run('INSERT OR IGNORE INTO consolidation_tasks VALUES (?, ?)', [task, at]);
});

export const readLastRuns = procedure(
  import.meta.url,
  'readLastRuns',
  (database, _args: null): (readonly [ConsolidationTask, Timestamp])[] =>
    database
      .all('SELECT task, last_run FROM consolidation_tasks', [])
      .map((row) => [row['task'] as ConsolidationTask, String(row['last_run'])] as const), // as `begin` and `record` wrote them
);

type NewRun = { readonly run: ConsolidationRun; readonly keep: number };

export const recordRun = procedure(import.meta.url, 'recordRun', (database, { run, keep }: NewRun): void => {
  const { id, mode, tasks, success, startedAt, completedAt, result } = run;
  database.run(
    `INSERT OR IGNORE INTO consolidation_runs (id, mode, tasks, success, started_at, completed_at, result)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [id, mode, tasks.join(','), Number(success), startedAt, completedAt, result],
  );
  for (const task of tasks) {
    database.run(
      `INSERT INTO consolidation_tasks VALUES (?, ?)
       ON CONFLICT (task) DO UPDATE SET last_run = max(last_run, excluded.last_run)`,
      [task, completedAt],
    );
  }
  database.run(
    'DELETE FROM consolidation_runs WHERE number <= (SELECT number FROM consolidation_runs ORDER BY number DESC LIMIT 1 OFFSET ?)',
    [keep],
  );
});

export const readHistory = procedure(
  import.meta.url,
  'readHistory',
  (database, limit: number): RunRow[] =>
    database.all('SELECT * FROM consolidation_runs ORDER BY number DESC LIMIT ?', [limit]) as RunRow[],
);
