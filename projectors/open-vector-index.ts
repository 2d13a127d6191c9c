/** Opens the vector index of the distributed composition with its embedder, and follows the active vector space. */
import { chooseEmbedderOfSize } from '../shared/embedding/choose-embedder.js';
import type { Embedder } from '../shared/embedding/embedder.js';
import type { EmbeddingSettings } from '../shared/embedding/embedding-variables.js';
import type { Resources } from '../shared/kernel/concurrency/resources.js';
import { retryStartup, type StartupRetry } from '../shared/kernel/concurrency/startup-retry.js';
import type { Metrics } from '../shared/kernel/metrics/metrics.js';
import type { Postgres } from '../shared/postgres/postgres.js';
import { openQdrantVectorIndex } from '../shared/vectors/qdrant/open-qdrant-vector-index.js';
import { createQdrantIndexMark } from '../shared/vectors/qdrant/qdrant-index-mark.js';
import { type QdrantConfig, qdrantPlace } from '../shared/vectors/qdrant/qdrant-variables.js';
import { createQdrantVectorIndexes } from '../shared/vectors/qdrant/qdrant-vector-indexes.js';
import { followWithEmbedder } from '../shared/vectors/spaces/follow-with-embedder.js';
import { openSpaceEmbedder, withGiven } from '../shared/vectors/spaces/open-space-embedder.js';
import { createOpenTarget } from '../shared/vectors/spaces/open-target.js';
import { createPostgresVectorSpaces } from '../shared/vectors/spaces/postgres/postgres-vector-spaces.js';
import { routedEmbedder, routedIndex, routedMark } from '../shared/vectors/spaces/routed-vectors.js';
import { storedModel } from '../shared/vectors/spaces/stored-model.js';
import type { VectorSpace } from '../shared/vectors/spaces/vector-spaces.js';

export async function openVectorIndex({
  settings,
  qdrant,
  postgres,
  given,
  instance,
  metrics,
  resources,
  startupRetry,
}: {
  readonly settings: EmbeddingSettings;
  readonly qdrant: QdrantConfig;
  readonly postgres: Postgres;
  /** Replaces the configured embedder. */
  readonly given?: Embedder;
  readonly instance: string;
  readonly metrics?: Metrics | undefined;
  readonly resources: Resources;
  readonly startupRetry: StartupRetry;
}) {
  const { logger } = startupRetry;
  const retry = <T>(attempt: () => Promise<T>) => retryStartup(qdrantPlace(qdrant), attempt, startupRetry);
  const opening = { settings, logger, metrics, isBackground: true };
  const spaces = createPostgresVectorSpaces({ postgres });
  const indexes = createQdrantVectorIndexes({ config: qdrant, logger });
  if (given) resources.add(given, (open) => open.close());
  const open = withGiven(given, createOpenTarget(opening));
  const openEmbedder = (space: Pick<VectorSpace, 'model' | 'target'>) => openSpaceEmbedder(space, { open, logger });
  const openIndex = (config: QdrantConfig, space: Pick<VectorSpace, 'number' | 'dimension'>) =>
    openQdrantVectorIndex({ config, ...space, logger });

  async function firstEmbedder(): Promise<Embedder> {
    const configured = await open(null);
    const index = await openIndex(qdrant, { number: 1, dimension: configured.dimension });
    const embedder = await embedderOf(index, configured);
    if (embedder !== configured) await configured.close();
    return embedder;
  }

  /** The embedder that made the stored vectors, as far as they show it. */
  async function embedderOf(index: Awaited<ReturnType<typeof openIndex>>, configured: Embedder): Promise<Embedder> {
    const model = await storedModel(index);
    if (model === configured.model) return configured;
    if (model !== null) return openEmbedder({ model, target: null });
    return index.dimension === configured.dimension ? configured : chooseEmbedderOfSize(index.dimension, opening);
  }

  const follower = await followWithEmbedder({
    spaces,
    instance,
    firstEmbedder,
    openEmbedder,
    openIndex: async (space) => ({
      vectors: await openIndex({ ...qdrant, adoptsDimension: false }, space),
      mark: createQdrantIndexMark({ config: qdrant, number: space.number }),
    }),
    retry,
    logger,
    resources,
  });
  await retry(async () => follower.opened());
  const { dimension } = follower.opened().index.embedder;
  return {
    spaces,
    indexes,
    openEmbedder: open,
    embedder: routedEmbedder(follower, dimension),
    vectors: routedIndex(follower, dimension),
    indexMark: routedMark(follower),
  };
}
