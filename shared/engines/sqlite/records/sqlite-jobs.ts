/** The jobs in SQLite. */
import { JOBS_KEPT } from '../../../contract/maintenance/jobs.js';
import { type Clock, formatTimestamp, type Ids, randomIds, systemClock } from '../../../kernel/clock.js';
import type { Jobs } from '../../../ports/jobs.js';
import { unfinishedJobError } from '../../../ports/unfinished-job-error.js';
import { jobOfRow, type JobRow } from '../../sql/job-of-row.js';
import { procedure, type SqliteHost } from '../threads/host.js';

export function createSqliteJobs({
  host,
  clock = systemClock,
  ids = randomIds,
}: {
  readonly host: SqliteHost;
  readonly clock?: Clock;
  readonly ids?: Ids;
}): Jobs {
  const now = () => formatTimestamp(clock.now());
  const found = (row: JobRow | null) => (row === null ? null : jobOfRow(row));
  return {
    create: async ({ kind, request }) => {
      const job = { id: ids.uuid(), kind, request: JSON.stringify(request), now: now() };
      const { row, isNew } = await host.write(createJob, job);
      if (!isNew) throw unfinishedJobError(jobOfRow(row));
      return jobOfRow(row);
    },
    find: async (id) => found(await host.read(findJob, id)),
    list: async ({ limit }) => (await host.read(listJobs, limit)).map(jobOfRow),
    unfinished: async () => found(await host.read(findUnfinishedJob, null)),
    save: (id, { progress, checkpoint }) =>
      host.write(saveJob, {
        id,
        progress: JSON.stringify(progress),
        checkpoint: checkpoint === null ? null : JSON.stringify(checkpoint),
        now: now(),
      }),
    finish: (id, { progress, error }) =>
      host.write(finishJob, { id, progress: JSON.stringify(progress), error, now: now() }),
  };
}

type NewJob = { readonly id: string; readonly kind: string; readonly request: string; readonly now: string };

export const createJob = procedure(
  import.meta.url,
  'createJob',
  (database, { id, kind, request, now }: NewJob): { readonly row: JobRow; readonly isNew: boolean } => {
    const other = database.get('SELECT * FROM jobs WHERE finished_at IS NULL');
    if (other) return { row: other as JobRow, isNew: false };
    const row = database.get('INSERT INTO jobs (id, kind, request, requested_at) VALUES (?, ?, ?, ?) RETURNING *', [
      id,
      kind,
      request,
      now,
    ]);
    return { row: row as JobRow, isNew: true };
  },
);

export const findJob = procedure(
  import.meta.url,
  'findJob',
  (database, id: string): JobRow | null => (database.get('SELECT * FROM jobs WHERE id = ?', [id]) as JobRow) ?? null,
);

export const listJobs = procedure(
  import.meta.url,
  'listJobs',
  (database, limit: number): JobRow[] =>
    database.all('SELECT * FROM jobs ORDER BY number DESC LIMIT ?', [limit]) as JobRow[],
);

export const findUnfinishedJob = procedure(
  import.meta.url,
  'findUnfinishedJob',
  (database, _args: null): JobRow | null =>
    (database.get('SELECT * FROM jobs WHERE finished_at IS NULL') as JobRow) ?? null,
);

type SavedJob = Pick<JobRow, 'id' | 'progress' | 'checkpoint'> & { readonly now: string };

export const saveJob = procedure(
  import.meta.url,
  'saveJob',
  (database, { id, progress, checkpoint, now }: SavedJob): void => {
    database.run(
      'UPDATE jobs SET progress = ?, checkpoint = ?, started_at = coalesce(started_at, ?) WHERE id = ? AND finished_at IS NULL',
      [progress, checkpoint, now, id],
    );
  },
);

type FinishedJob = Pick<JobRow, 'id' | 'progress' | 'error'> & { readonly now: string };

export const finishJob = procedure(
  import.meta.url,
  'finishJob',
  (database, { id, progress, error, now }: FinishedJob): void => {
    database.run(
      `UPDATE jobs SET progress = ?, checkpoint = NULL, error = ?, started_at = coalesce(started_at, ?), finished_at = ?
       WHERE id = ? AND finished_at IS NULL`,
      [progress, error, now, now, id],
    );
    database.run(
      `DELETE FROM jobs WHERE finished_at IS NOT NULL AND number <= (
         SELECT number FROM jobs WHERE finished_at IS NOT NULL ORDER BY number DESC LIMIT 1 OFFSET ?)`,
      [JOBS_KEPT],
    );
  },
);
