/** GET /admin/jobs: the unfinished job and the jobs that ended last, the newest first. */
import { JOBS_KEPT } from '../../shared/contract/maintenance/jobs.js';
import type { Handler } from '../../shared/http/handler.js';
import { jobBody } from '../../shared/jobs/job-body.js';
import type { Jobs } from '../../shared/ports/jobs.js';

export function createListJobs({ jobs }: { readonly jobs: Pick<Jobs, 'list'> }): Handler<'listJobs'> {
  return async () => {
    const found = await jobs.list({ limit: JOBS_KEPT + 1 });
    return { status: 200, body: { status: 'success', jobs: found.map(jobBody), count: found.length } };
  };
}
