/** GET /admin/jobs/:job: one job with its progress. */
import type { Handler } from '../../shared/http/handler.js';
import { jobBody } from '../../shared/jobs/job-body.js';
import { NotFoundError } from '../../shared/kernel/errors.js';
import type { Jobs } from '../../shared/ports/jobs.js';

export function createGetJob({ jobs }: { readonly jobs: Pick<Jobs, 'find'> }): Handler<'getJob'> {
  return async ({ params: { job: id } }) => {
    const job = await jobs.find(id);
    if (job === null) throw new NotFoundError('Job not found');
    return { status: 200, body: { status: 'success', job: jobBody(job) } };
  };
}
