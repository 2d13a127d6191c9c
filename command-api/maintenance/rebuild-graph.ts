/** POST /admin/projections/graph/rebuild: requests the job that brings the graph to the state of the journal. */
import type { Handler } from '../../shared/http/handler.js';
import { jobBody } from '../../shared/jobs/job-body.js';
import type { Jobs } from '../../shared/ports/jobs.js';

export function createRebuildGraph({ jobs }: { readonly jobs: Pick<Jobs, 'create'> }): Handler<'rebuildGraph'> {
  return async () => {
    const job = await jobs.create({ kind: 'rebuild-graph', request: {} });
    return { status: 202, body: { status: 'accepted', job: jobBody(job) } };
  };
}
