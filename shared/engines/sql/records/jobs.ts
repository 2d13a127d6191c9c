/** The jobs. */
import { type JobKind, JOBS_KEPT } from '../../../contract/maintenance/jobs.js';
import type { Timestamp } from '../../../contract/memory.js';
import { randomIds } from '../../../kernel/clock.js';
import { ConflictError } from '../../../kernel/errors.js';
import { type Job, type Jobs, type JsonRecord, unfinishedJobError } from '../../../ports/jobs.js';
import { type Call, type Sql, timestampOf } from './sql.js';

/** The other job may end between both statements of an attempt. */
const CREATE_ATTEMPTS = 3;

export function createJobs(sql: Sql): Jobs {
  const { now } = sql.dialect;
  const read = async (...call: Call): Promise<readonly Job[]> => (await sql.read<JobRow>(...call)).map(jobOfRow);
  const unfinished = async (): Promise<Job | null> =>
    (await read('unfinished_job', 'SELECT * FROM jobs WHERE finished_at IS NULL'))[0] ?? null;
  return {
    create: async ({ kind, request }) => {
      for (let attempt = 1; attempt <= CREATE_ATTEMPTS; attempt += 1) {
        const [created] = await sql.write<JobRow>(
          'create_job',
          `INSERT INTO jobs (id, kind, request, requested_at) VALUES ($1, $2, $3, ${now})
           ON CONFLICT DO NOTHING RETURNING *`,
          [randomIds.uuid(), kind, JSON.stringify(request)],
        );
        if (created) return jobOfRow(created);
        const other = await unfinished();
        if (other !== null) throw unfinishedJobError(other);
      }
      throw new ConflictError('Other jobs begin and end at the same time: try again', 1);
    },
    find: async (id) => (await read('find_job', 'SELECT * FROM jobs WHERE id = $1', [id]))[0] ?? null,
    list: ({ limit }) => read('list_jobs', 'SELECT * FROM jobs ORDER BY number DESC LIMIT $1', [limit]),
    unfinished,
    save: async (id, { progress, checkpoint }) =>
      void (await sql.write(
        'save_job',
        `UPDATE jobs SET progress = $2, checkpoint = $3, started_at = coalesce(started_at, ${now})
         WHERE id = $1 AND finished_at IS NULL`,
        [id, JSON.stringify(progress), checkpoint === null ? null : JSON.stringify(checkpoint)],
      )),
    finish: async (id, { progress, error }) =>
      void (await sql.transaction([
        [
          'finish_job',
          `UPDATE jobs SET progress = $2, checkpoint = NULL, error = $3,
             started_at = coalesce(started_at, ${now}), finished_at = ${now}
           WHERE id = $1 AND finished_at IS NULL`,
          [id, JSON.stringify(progress), error],
        ],
        [
          'remove_oldest_jobs',
          `DELETE FROM jobs WHERE finished_at IS NOT NULL AND number <= (
             SELECT number FROM jobs WHERE finished_at IS NOT NULL ORDER BY number DESC LIMIT 1 OFFSET $1)`,
          [JOBS_KEPT],
        ],
      ])),
  };
}

/** JSON is text. A time is what the database returns: a Date, or a timestamp of the contract. */
type JobRow = {
  readonly id: string;
  readonly kind: string;
  readonly request: string;
  readonly progress: string;
  readonly checkpoint: string | null;
  readonly error: string | null;
  readonly requested_at: Date | Timestamp;
  readonly started_at: Date | Timestamp | null;
  readonly finished_at: Date | Timestamp | null;
};

function jobOfRow(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind as JobKind, // as `create` wrote it
    request: recordOf(row.request),
    state: stateOf(row),
    progress: recordOf(row.progress),
    checkpoint: row.checkpoint === null ? null : recordOf(row.checkpoint),
    error: row.error,
    requestedAt: timestampOf(row.requested_at),
    startedAt: row.started_at && timestampOf(row.started_at),
    finishedAt: row.finished_at && timestampOf(row.finished_at),
  };
}

function stateOf({ started_at: startedAt, finished_at: finishedAt, error }: JobRow): Job['state'] {
  if (finishedAt !== null) return error === null ? 'done' : 'failed';
  return startedAt === null ? 'waiting' : 'running';
}

function recordOf(text: string): JsonRecord {
  return JSON.parse(text) as JsonRecord; // as an adapter wrote it
}
