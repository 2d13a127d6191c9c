/**
 * POST /admin/projections/vectors/rebuild and .../rollback: check the embedder and request the job, which a projector
 * process runs. A target that cannot work changes nothing.
 */
import type { Handlers, ReplyFor, RequestFor } from '../../shared/http/handler.js';
import { jobBody } from '../../shared/jobs/job-body.js';
import { ConflictError } from '../../shared/kernel/errors.js';
import { type Job, type Jobs, unfinishedJobError } from '../../shared/ports/jobs.js';
import type { EmbeddingTarget, OpenTarget, VectorSpaces } from '../../shared/ports/vector-spaces.js';
import { probePrevious, probeTarget } from '../../shared/spaces/probe-target.js';
import type { RebuildRequest } from '../../shared/spaces/rebuild-request.js';

type Operation = 'rebuildVectors' | 'rollbackVectors';

export function createRebuildVectors({
  jobs,
  spaces,
  openTarget,
  configuredProvider,
}: {
  readonly jobs: Pick<Jobs, 'create' | 'unfinished'>;
  readonly spaces: Pick<VectorSpaces, 'list'>;
  readonly openTarget: OpenTarget;
  /** For a request that names a model or a size without a provider. */
  readonly configuredProvider: EmbeddingTarget['provider'];
}): Handlers<Operation> {
  /** Before the embedder is asked, which may cost money. */
  async function requireNoJob(): Promise<void> {
    const job = await jobs.unfinished();
    if (job !== null) throw unfinishedJobError(job);
  }

  function targetOf({
    provider,
    model,
    vector_size: vectorSize,
  }: RequestFor<'rebuildVectors'>['body']): EmbeddingTarget | null {
    if (provider === undefined && model === undefined && vectorSize === undefined) return null;
    return {
      provider: provider ?? configuredProvider,
      ...(model !== undefined && { model }),
      ...(vectorSize !== undefined && { vectorSize }),
    };
  }

  return {
    rebuildVectors: async ({ body }) => {
      await requireNoJob();
      const target = targetOf(body);
      const request: RebuildRequest = { target, ...(await probeTarget(openTarget, target)) };
      return accepted(await jobs.create({ kind: 'rebuild-vectors', request }));
    },
    rollbackVectors: async () => {
      await requireNoJob();
      const previous = (await spaces.list()).find(({ state }) => state === 'previous');
      if (previous === undefined)
        throw new ConflictError('There is no previous vector index: it exists after a rebuild');
      await probePrevious(openTarget, previous);
      const { model, dimension } = previous;
      return accepted(await jobs.create({ kind: 'rollback-vectors', request: { model, dimension } }));
    },
  };
}

function accepted(job: Job): ReplyFor<Operation> {
  return { status: 202, body: { status: 'accepted', job: jobBody(job) } };
}
