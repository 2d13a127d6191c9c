/** GET /admin/jobs and GET /admin/jobs/:job: the unfinished job and the jobs that ended last. */
import { JOBS_KEPT } from '../../shared/contract/maintenance/jobs.js';
import type { Handler } from '../../shared/http/handler.js';
import { jobBody } from '../../shared/jobs/job-body.js';
import { NotFoundError } from '../../shared/kernel/errors.js';
import type { Jobs } from '../../shared/ports/jobs.js';

/** GET /admin/jobs: the newest first. */
export function createListJobs({ jobs }: { readonly jobs: Pick<Jobs, 'list'> }): Handler<'listJobs'> {
  return async () => {
    const found = await jobs.list({ limit: JOBS_KEPT + 1 });
    return { status: 200, body: { status: 'success', jobs: found.map(jobBody), count: found.length } };
  };
}

/** GET /admin/jobs/:job: one job with its progress. */
export function createGetJob({ jobs }: { readonly jobs: Pick<Jobs, 'find'> }): Handler<'getJob'> {
  return async ({ params: { job: id } }) => {
    const job = await jobs.find(id);
    if (job === null) throw new NotFoundError('Job not found: GET /admin/jobs lists the jobs');
    return { status: 200, body: { status: 'success', job: jobBody(job) } };
  };
}
