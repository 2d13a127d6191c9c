/** The jobs in Postgres. */
import { JOBS_KEPT } from '../../../contract/maintenance/jobs.js';
import { formatTimestamp } from '../../../kernel/clock.js';
import { ConflictError } from '../../../kernel/errors.js';
import type { Job, Jobs } from '../../../ports/jobs.js';
import { unfinishedJobError } from '../../../ports/unfinished-job-error.js';
import { jobOfRow, type JobRow } from '../../sql/job-of-row.js';
import { type Postgres, type Statement, statement } from '../connection/postgres.js';
import { jobsMigrations } from '../schema/jobs.js';

const COLUMNS = 'id, kind, request, progress, checkpoint, error, requested_at, started_at, finished_at';
const CREATE = statement(
  jobsMigrations,
  'create_job',
  `INSERT INTO jobs (kind, request) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
);
const FIND = statement(jobsMigrations, 'find_job', `SELECT ${COLUMNS} FROM jobs WHERE id = $1`);
const LIST = statement(jobsMigrations, 'list_jobs', `SELECT ${COLUMNS} FROM jobs ORDER BY number DESC LIMIT $1`);
const UNFINISHED = statement(jobsMigrations, 'unfinished_job', `SELECT ${COLUMNS} FROM jobs WHERE finished_at IS NULL`);
const SAVE = statement(
  jobsMigrations,
  'save_job',
  `UPDATE jobs SET progress = $2, checkpoint = $3, started_at = coalesce(started_at, clock_timestamp())
   WHERE id = $1 AND finished_at IS NULL`,
);
const FINISH = statement(
  jobsMigrations,
  'finish_job',
  `UPDATE jobs SET progress = $2, checkpoint = NULL, error = $3,
     started_at = coalesce(started_at, clock_timestamp()), finished_at = clock_timestamp()
   WHERE id = $1 AND finished_at IS NULL`,
);
const REMOVE_OLDEST = statement(
  jobsMigrations,
  'remove_oldest_jobs',
  `DELETE FROM jobs WHERE finished_at IS NOT NULL AND number <= (
     SELECT number FROM jobs WHERE finished_at IS NOT NULL ORDER BY number DESC LIMIT 1 OFFSET $1)`,
);
/** The other job may end between both statements of an attempt. */
const CREATE_ATTEMPTS = 3;

export function createPostgresJobs({ postgres }: { readonly postgres: Postgres }): Jobs {
  async function read(wanted: Statement, params: readonly unknown[]): Promise<readonly Job[]> {
    const { rows } = await postgres.query<StoredRow>(wanted, params);
    return rows.map((row) => jobOfRow(jobRow(row)));
  }
  async function readOne(wanted: Statement, params: readonly unknown[]): Promise<Job | null> {
    return (await read(wanted, params))[0] ?? null;
  }
  return {
    create: async ({ kind, request }) => {
      for (let attempt = 1; attempt <= CREATE_ATTEMPTS; attempt += 1) {
        const created = await readOne(CREATE, [kind, JSON.stringify(request)]);
        if (created !== null) return created;
        const other = await readOne(UNFINISHED, []);
        if (other !== null) throw unfinishedJobError(other);
      }
      throw new ConflictError('Other jobs begin and end at the same time: try again', 1);
    },
    find: (id) => readOne(FIND, [id]),
    list: ({ limit }) => read(LIST, [limit]),
    unfinished: () => readOne(UNFINISHED, []),
    save: async (id, { progress, checkpoint }) => {
      await postgres.query(SAVE, [
        id,
        JSON.stringify(progress),
        checkpoint === null ? null : JSON.stringify(checkpoint),
      ]);
    },
    finish: async (id, { progress, error }) => {
      await postgres.query(FINISH, [id, JSON.stringify(progress), error]);
      await postgres.query(REMOVE_OLDEST, [JOBS_KEPT]);
    },
  };
}

type StoredRow = Omit<JobRow, 'requested_at' | 'started_at' | 'finished_at'> & {
  readonly requested_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
};

function jobRow(row: StoredRow): JobRow {
  const timestamp = (at: Date | null) => (at === null ? null : formatTimestamp(at));
  return {
    ...row,
    requested_at: formatTimestamp(row.requested_at),
    started_at: timestamp(row.started_at),
    finished_at: timestamp(row.finished_at),
  };
}
