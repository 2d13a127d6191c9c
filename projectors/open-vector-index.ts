/** Opens the vector index of the distributed composition with its embedder, and follows the active vector space. */
import { chooseEmbedderOfSize } from '../shared/embedding/choose-embedder.js';
import type { Embedder } from '../shared/embedding/embedder.js';
import type { EmbeddingSettings } from '../shared/embedding/embedding-variables.js';
import type { Resources } from '../shared/kernel/concurrency/resources.js';
import { retryStartup, type StartupRetry } from '../shared/kernel/concurrency/startup-retry.js';
import type { Postgres } from '../shared/postgres/postgres.js';
import { openQdrantVectorIndex } from '../shared/vectors/qdrant/open-qdrant-vector-index.js';
import { createQdrantIndexMark } from '../shared/vectors/qdrant/qdrant-index-mark.js';
import { type QdrantConfig, qdrantPlace } from '../shared/vectors/qdrant/qdrant-variables.js';
import { createQdrantVectorIndexes } from '../shared/vectors/qdrant/qdrant-vector-indexes.js';
import { openSpaceEmbedder, withGiven } from '../shared/vectors/spaces/open-space-embedder.js';
import { createOpenTarget } from '../shared/vectors/spaces/open-target.js';
import { createPostgresVectorSpaces } from '../shared/vectors/spaces/postgres/postgres-vector-spaces.js';
import { routedEmbedder, routedIndex, routedMark } from '../shared/vectors/spaces/routed-vectors.js';
import { followSpaces } from '../shared/vectors/spaces/space-follower.js';
import { storedModel } from '../shared/vectors/spaces/stored-model.js';
import type { VectorSpace } from '../shared/vectors/spaces/vector-spaces.js';

export async function openVectorIndex({
  settings,
  qdrant,
  postgres,
  given,
  instance,
  resources,
  startupRetry,
}: {
  readonly settings: EmbeddingSettings;
  readonly qdrant: QdrantConfig;
  readonly postgres: Postgres;
  /** Replaces the configured embedder. */
  readonly given?: Embedder;
  readonly instance: string;
  readonly resources: Resources;
  readonly startupRetry: StartupRetry;
}) {
  const { logger } = startupRetry;
  const opening = { settings, logger, isBackground: true };
  const spaces = createPostgresVectorSpaces({ postgres });
  const indexes = createQdrantVectorIndexes({ config: qdrant, logger });
  if (given) resources.add(given, (open) => open.close());
  const open = withGiven(given, createOpenTarget(opening));
  const openEmbedder = (space: Pick<VectorSpace, 'model' | 'target'>) => openSpaceEmbedder(space, { open, logger });
  const openIndex = (config: QdrantConfig, space: Pick<VectorSpace, 'number' | 'dimension'>) =>
    openQdrantVectorIndex({ config, ...space, logger });

  /** The first space, of a deployment that has none yet. Returns its embedder. */
  async function begin(): Promise<Embedder> {
    const configured = await open(null);
    const index = await openIndex(qdrant, { number: 1, dimension: configured.dimension });
    const embedder = await embedderOf(index, configured);
    if (embedder !== configured) await configured.close();
    await spaces.begin({ model: embedder.model, dimension: embedder.dimension, target: null });
    return embedder;
  }

  /** The embedder that made the stored vectors, as far as they show it. */
  async function embedderOf(index: Awaited<ReturnType<typeof openIndex>>, configured: Embedder): Promise<Embedder> {
    const model = await storedModel(index);
    if (model === configured.model) return configured;
    if (model !== null) return openEmbedder({ model, target: null });
    return index.dimension === configured.dimension ? configured : chooseEmbedderOfSize(index.dimension, opening);
  }

  let first = await retryStartup(
    qdrantPlace(qdrant),
    async () => ((await spaces.active()) === null ? begin() : null),
    startupRetry,
  );
  const follower = resources.add(
    followSpaces({
      spaces,
      instance,
      logger,
      open: async (space) => {
        const embedder = first ?? (await openEmbedder(space));
        first = null;
        const vectors = await openIndex(
          { ...qdrant, adoptsDimension: false },
          { number: space.number, dimension: embedder.dimension },
        );
        return { embedder, vectors, mark: createQdrantIndexMark({ config: qdrant, number: space.number }) };
      },
      close: ({ embedder }) => embedder.close(),
    }),
    (running) => running.close(),
  );
  await retryStartup(qdrantPlace(qdrant), async () => follower.opened(), startupRetry);
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
