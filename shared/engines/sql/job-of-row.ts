/** Reads a job from a row of the table `jobs`, which has the same columns in every engine. */
import type { JobKind } from '../../contract/maintenance/jobs.js';
import type { Timestamp } from '../../contract/memory.js';
import type { Job, JsonRecord } from '../../ports/jobs.js';

/** JSON is text, and times are timestamps of the contract. */
export type JobRow = {
  readonly id: string;
  readonly kind: string;
  readonly request: string;
  readonly progress: string;
  readonly checkpoint: string | null;
  readonly error: string | null;
  readonly requested_at: Timestamp;
  readonly started_at: Timestamp | null;
  readonly finished_at: Timestamp | null;
};

export function jobOfRow(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind as JobKind, // as `create` wrote it
    request: recordOf(row.request),
    state: stateOf(row),
    progress: recordOf(row.progress),
    checkpoint: row.checkpoint === null ? null : recordOf(row.checkpoint),
    error: row.error,
    requestedAt: row.requested_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}

function stateOf({ started_at: startedAt, finished_at: finishedAt, error }: JobRow): Job['state'] {
  if (finishedAt !== null) return error === null ? 'done' : 'failed';
  return startedAt === null ? 'waiting' : 'running';
}

function recordOf(text: string): JsonRecord {
  return JSON.parse(text) as JsonRecord; // as an adapter wrote it
}
