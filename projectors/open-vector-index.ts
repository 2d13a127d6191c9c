/** What the vector indexer makes vectors with and where it puts them, agreeing on their size. */
import { chooseEmbedder } from '../shared/embedding/choose-embedder.js';
import { chooseEmbedderOfSize } from '../shared/embedding/choose-embedder-of-size.js';
import type { Embedder } from '../shared/embedding/embedder.js';
import type { EmbeddingSettings } from '../shared/embedding/embedding-variables.js';
import { keepTrying, type Patience } from '../shared/kernel/keep-trying.js';
import type { Resources } from '../shared/kernel/resources.js';
import { openQdrantVectorIndex, type QdrantVectorIndex } from '../shared/vectors/qdrant/open-qdrant-vector-index.js';
import { qdrantPlace, type QdrantConfig } from '../shared/vectors/qdrant/qdrant-variables.js';

/** Where stored vectors have another size and are adopted, the embedder is chosen anew to make theirs. */
export async function openVectorIndex({
  settings,
  qdrant,
  resources,
  patience,
}: {
  readonly settings: EmbeddingSettings;
  readonly qdrant: QdrantConfig;
  readonly resources: Resources;
  readonly patience: Patience;
}): Promise<{ readonly embedder: Embedder; readonly vectors: QdrantVectorIndex }> {
  const { logger } = patience;
  const chosen = resources.add(await chooseEmbedder({ settings, logger, isBackground: true }), (opened) =>
    opened.close(),
  );
  const { dimension } = chosen;
  const vectors = await keepTrying(
    qdrantPlace(qdrant),
    () => openQdrantVectorIndex({ config: qdrant, dimension, logger }),
    patience,
  );
  if (vectors.dimension === dimension) return { embedder: chosen, vectors };
  const sized = await chooseEmbedderOfSize(vectors.dimension, { settings, logger, isBackground: true });
  return { embedder: resources.add(sized, (opened) => opened.close()), vectors };
}
