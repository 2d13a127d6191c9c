/** The error of a request for a job while another job is unfinished. */
import { ConflictError } from '../kernel/errors.js';
import type { Job } from './jobs.js';

const RETRY_SECONDS = 30;

export function unfinishedJobError({ id, kind }: Pick<Job, 'id' | 'kind'>): ConflictError {
  return new ConflictError(
    `The job ${id} (${kind}) is not finished: wait for its end, GET /admin/jobs/${id} shows how far it is`,
    RETRY_SECONDS,
  );
}
