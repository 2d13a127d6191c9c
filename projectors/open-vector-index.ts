/** Opens the vector index of the distributed composition with its embedder, and follows the active vector space. */
import { chooseEmbedderOfSize } from '../shared/engines/models/choose-embedder.js';
import type { EmbeddingSettings } from '../shared/engines/models/embedding-variables.js';
import { createOpenTarget } from '../shared/engines/models/open-target.js';
import type { ShareEmbedder } from '../shared/engines/models/share-embedders.js';
import { qdrantAddress, qdrantPorts } from '../shared/engines/qdrant/open.js';
import type { QdrantConfig } from '../shared/engines/qdrant/qdrant-variables.js';
import type { Resources } from '../shared/kernel/concurrency/resources.js';
import { retryStartup, type StartupRetry } from '../shared/kernel/concurrency/startup-retry.js';
import type { Metrics } from '../shared/kernel/metrics/metrics.js';
import type { Embedder } from '../shared/ports/embedder.js';
import type { VectorSpace, VectorSpaces } from '../shared/ports/vector-spaces.js';
import { followWithEmbedder } from '../shared/spaces/follow-with-embedder.js';
import { openSpaceEmbedder, withGiven } from '../shared/spaces/open-space-embedder.js';
import { routedEmbedder, routedIndex, routedMark } from '../shared/spaces/routed-vectors.js';
import { storedModel } from '../shared/spaces/stored-model.js';

export async function openVectorIndex({
  settings,
  config,
  spaces,
  given,
  share,
  instance,
  metrics,
  resources,
  startupRetry,
}: {
  readonly settings: EmbeddingSettings;
  readonly config: QdrantConfig;
  readonly spaces: VectorSpaces;
  /** Replaces the configured embedder. */
  readonly given?: Embedder;
  /** Gives all tenants of the process one encoder. */
  readonly share?: ShareEmbedder | undefined;
  readonly instance: string;
  readonly metrics?: Metrics | undefined;
  readonly resources: Resources;
  readonly startupRetry: StartupRetry;
}) {
  const { logger } = startupRetry;
  const retry = <T>(attempt: () => Promise<T>) => retryStartup(qdrantAddress(config), attempt, startupRetry);
  const opening = { settings, share, logger, metrics, isBackground: true };
  const qdrant = qdrantPorts({ config, logger });
  if (given) resources.add(given, (open) => open.close());
  const open = withGiven(given, createOpenTarget(opening));
  const openEmbedder = (space: Pick<VectorSpace, 'model' | 'target'>) => openSpaceEmbedder(space, { open, logger });

  async function firstEmbedder(): Promise<Embedder> {
    const configured = await open(null);
    const index = await qdrant.openIndex({ number: 1, dimension: configured.dimension });
    const embedder = await embedderOf(index, configured);
    if (embedder !== configured) await configured.close();
    return embedder;
  }

  /** The embedder that made the stored vectors, as far as they show it. */
  async function embedderOf(
    index: Awaited<ReturnType<typeof qdrant.openIndex>>,
    configured: Embedder,
  ): Promise<Embedder> {
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
      vectors: await qdrant.openIndex(space, { adoptsDimension: false }),
      mark: qdrant.mark(space.number),
    }),
    retry,
    logger,
    resources,
  });
  await retry(async () => {
    await follower.firstAttempt;
    return follower.opened();
  });
  const { dimension } = follower.opened().index.embedder;
  return {
    indexes: qdrant.indexes,
    openEmbedder: open,
    embedder: routedEmbedder(follower, dimension),
    vectors: routedIndex(follower, dimension),
    indexMark: routedMark(follower),
  };
}
