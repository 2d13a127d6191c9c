/**
 * Starts the rebuild of the vector index after an upgrade to a release that no longer has the model of its vectors.
 * Until the rebuild has ended, recall searches by words, and new memories wait for their vectors.
 */
import { createLoop } from '../../../shared/kernel/concurrency/loop.js';
import { ConflictError } from '../../../shared/kernel/errors.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { Jobs } from '../../../shared/ports/jobs.js';
import { isRetiredModel, type OpenTarget, type VectorSpaces } from '../../../shared/ports/vector-spaces.js';
import type { RebuildRequest } from '../../../shared/spaces/rebuild-request.js';

/** A rebuild that failed starts again after a pause that doubles: its vectors are cached, so it goes on. */
const PACE = { idleMinimumMs: 5_000, idleMaximumMs: 600_000, failedMinimumMs: 1_000, failedMaximumMs: 60_000 };

export function leaveRetiredModel({
  spaces,
  jobs,
  openEmbedder,
  logger,
}: {
  readonly spaces: Pick<VectorSpaces, 'active'>;
  readonly jobs: Pick<Jobs, 'create'>;
  readonly openEmbedder: OpenTarget;
  readonly logger: Logger;
}): { readonly close: () => Promise<void> } {
  const closing = new AbortController();
  const loop = createLoop({
    step: async () => {
      const active = await spaces.active();
      if (active === null || !isRetiredModel(active.model)) closing.abort();
      else await startRebuild(active.model);
      return 'idle';
    },
    onFailure: (err, waitMs) => logger.warn({ err, waitMs }, 'starting the rebuild of the vector index failed'),
    pace: PACE,
  });

  async function startRebuild(retired: string): Promise<void> {
    const embedder = await openEmbedder(null);
    try {
      const request: RebuildRequest = { target: null, model: embedder.model, dimension: embedder.dimension };
      const { id } = await jobs.create({ kind: 'rebuild-vectors', request });
      logger.info({ job: id, retired, model: embedder.model }, 'the vector index moves to the model of this release');
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error; // another job is unfinished
    } finally {
      await embedder.close();
    }
  }

  const running = loop.run(closing.signal);
  return {
    close: async () => {
      closing.abort();
      await running;
    },
  };
}
