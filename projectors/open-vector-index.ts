/** Opens the embedder and the vector index of the vector indexer, with vectors of the same size. */
import { chooseEmbedder, chooseEmbedderOfSize } from '../shared/embedding/choose-embedder.js';
import type { Embedder } from '../shared/embedding/embedder.js';
import type { EmbeddingSettings } from '../shared/embedding/embedding-variables.js';
import type { Resources } from '../shared/kernel/concurrency/resources.js';
import { retryStartup, type StartupRetry } from '../shared/kernel/concurrency/startup-retry.js';
import { openQdrantVectorIndex, type QdrantVectorIndex } from '../shared/vectors/qdrant/open-qdrant-vector-index.js';
import { type QdrantConfig, qdrantPlace } from '../shared/vectors/qdrant/qdrant-variables.js';

/** When the index keeps stored vectors of another size, a second embedder is chosen that makes vectors of that size. */
export async function openVectorIndex({
  settings,
  qdrant,
  resources,
  startupRetry,
}: {
  readonly settings: EmbeddingSettings;
  readonly qdrant: QdrantConfig;
  readonly resources: Resources;
  readonly startupRetry: StartupRetry;
}): Promise<{ readonly embedder: Embedder; readonly vectors: QdrantVectorIndex }> {
  const { logger } = startupRetry;
  const chosen = resources.add(await chooseEmbedder({ settings, logger, isBackground: true }), (opened) =>
    opened.close(),
  );
  const { dimension } = chosen;
  const vectors = await retryStartup(
    qdrantPlace(qdrant),
    () => openQdrantVectorIndex({ config: qdrant, dimension, logger }),
    startupRetry,
  );
  if (vectors.dimension === dimension) return { embedder: chosen, vectors };
  const sized = await chooseEmbedderOfSize(vectors.dimension, { settings, logger, isBackground: true });
  return { embedder: resources.add(sized, (opened) => opened.close()), vectors };
}
