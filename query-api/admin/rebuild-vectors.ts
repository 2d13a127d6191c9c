/**
 * POST /admin/projections/vectors/rebuild and .../rollback: check the embedder and request the job, which a projector process runs. A target that
 * cannot work changes nothing.
 */
import type { Handlers, RequestFor } from '../../shared/http/handler.js';
import { jobBody } from '../../shared/jobs/job-body.js';
import type { Jobs } from '../../shared/jobs/jobs.js';
import { unfinishedJobError } from '../../shared/jobs/unfinished-job-error.js';
import { ConflictError } from '../../shared/kernel/errors.js';
import { type OpenTarget, probePrevious, probeTarget } from '../../shared/vectors/spaces/probe-target.js';
import type { RebuildRequest } from '../../shared/vectors/spaces/rebuild-request.js';
import type { EmbeddingTarget, VectorSpaces } from '../../shared/vectors/spaces/vector-spaces.js';

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

function accepted(job: Parameters<typeof jobBody>[0]) {
  return { status: 202, body: { status: 'accepted', job: jobBody(job) } };
}
