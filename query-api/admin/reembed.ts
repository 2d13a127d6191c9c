/** POST /admin/reembed: requests the job that embeds contents again, and waits for its end. The projectors run it. */
import { REEMBED_BATCH, REEMBED_SAMPLE } from '../../shared/contract/maintenance/vector-index.js';
import type { Handler, ReplyFor } from '../../shared/http/handler.js';
import { jobBody } from '../../shared/jobs/job-body.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { Job, Jobs } from '../../shared/ports/jobs.js';
import type { VectorIndexReader } from '../../shared/ports/vectors.js';
import { waitForJob } from './wait-for-job.js';

/** The service does not start without an embedding provider, so no request finds none. */
export function createReembed({
  jobs,
  graph,
  vectors,
  waitMs,
}: {
  readonly jobs: Pick<Jobs, 'create' | 'find'>;
  readonly graph: Pick<GraphReader, 'ping'>;
  readonly vectors: Pick<VectorIndexReader, 'ping'>;
  /** Longest time that a caller waits for the end of the job. */
  readonly waitMs: number;
}): Handler<'reembed'> {
  return async ({ body, context: { signal } }) => {
    await vectors.ping().catch((cause: unknown) => {
      throw new DependencyError('vectors', 'Qdrant is not available', { cause });
    });
    await graph.ping();
    const { limit = null, force = false } = body;
    const request = { batch_size: batchSizeOf(body.batch_size), limit, force };
    const created = await jobs.create({ kind: 'reembed', request });
    const job = body.async === true ? created : await waitForJob(created, { jobs, waitMs, signal });
    return job.finishedAt === null ? { status: 202, body: { status: 'accepted', job: jobBody(job) } } : resultOf(job);
  };
}

function batchSizeOf(given: unknown): number {
  return typeof given === 'number' && Number.isInteger(given) && given > 0
    ? Math.min(given, REEMBED_BATCH.maximum)
    : REEMBED_BATCH.default;
}

/** The progress has the names of the reply. A job that stopped before its end counts the rest as failed. */
function resultOf({ progress, request, error }: Job): ReplyFor<'reembed'> {
  const { processed = 0, failed = 0, skipped = 0, total = 0, failed_ids: ids = [] } = progress as ReembedProgress;
  if (total === 0 && error === null) {
    const message = 'No memories found to reembed';
    return { status: 200, body: { status: 'complete', message, processed: 0, total: 0 } };
  }
  const failures = error === null ? failed : Math.max(failed, total - processed - skipped);
  return {
    status: 200,
    body: {
      status: 'complete',
      processed,
      failed: failures,
      skipped,
      total,
      batch_size: batchSizeOf(request['batch_size']),
      metadata_preserved: true,
      ...(ids.length > 0 && { failed_ids: ids }),
      ...(failures > REEMBED_SAMPLE && { failed_ids_truncated: true }),
      ...(error !== null && { error }),
    },
  };
}

/** As the job saves it; empty before its first page. */
type ReembedProgress = {
  readonly processed?: number;
  readonly failed?: number;
  readonly skipped?: number;
  readonly total?: number;
  readonly failed_ids?: readonly string[];
};
