/**
 * The port of the jobs: long maintenance of the whole deployment, one job at a time. They are stored next to the
 * journal.
 */
import type { JobKind, JobState } from '../contract/maintenance/jobs.js';
import type { Timestamp } from '../contract/memory.js';
import { ConflictError } from '../kernel/errors.js';

export type JsonRecord = Readonly<Record<string, unknown>>;

export type Job = {
  /** A UUID. */
  readonly id: string;
  readonly kind: JobKind;
  /** As it was validated when the job was requested. */
  readonly request: JsonRecord;
  readonly state: JobState;
  /** Counts for the caller. */
  readonly progress: JsonRecord;
  /** Where a run continues after a crash; null at the start. */
  readonly checkpoint: JsonRecord | null;
  /** Why the job failed. */
  readonly error: string | null;
  readonly requestedAt: Timestamp;
  readonly startedAt: Timestamp | null;
  readonly finishedAt: Timestamp | null;
};

export type JobProgress = Pick<Job, 'progress' | 'checkpoint'>;

/**
 * Times are those of the database. Every method throws DependencyError('journal') when the database does not answer.
 */
export interface Jobs {
  /** Throws ConflictError with the id of the other job while a job of any kind is unfinished. */
  create(request: Pick<Job, 'kind' | 'request'>): Promise<Job>;
  find(id: string): Promise<Job | null>;
  /** The newest first. */
  list(request: { readonly limit: number }): Promise<readonly Job[]>;
  unfinished(): Promise<Job | null>;
  /** Marks the job as running, and replaces its progress and checkpoint. Changes nothing in a job that ended. */
  save(id: string, state: JobProgress): Promise<void>;
  /** Ends the job, as failed if there is an error, and removes the oldest ended jobs above JOBS_KEPT. */
  finish(id: string, result: Pick<Job, 'progress' | 'error'>): Promise<void>;
}

const RETRY_SECONDS = 30;

/** The error of a request for a job while another job is unfinished. */
export function unfinishedJobError({ id, kind }: Pick<Job, 'id' | 'kind'>): ConflictError {
  return new ConflictError(
    `The job ${id} (${kind}) is not finished: wait for its end, GET /admin/jobs/${id} shows how far it is`,
    RETRY_SECONDS,
  );
}
