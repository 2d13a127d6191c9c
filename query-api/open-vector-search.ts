/**
 * Opens the search by meaning: the embedder of queries and the vector index, with the same dimension. The index may become available late; until
 * then recall works without it. If the index then has another dimension, a new embedder with that dimension replaces the first one.
 */
import { chooseEmbedder, chooseEmbedderOfSize } from '../shared/embedding/choose-embedder.js';
import type { Embedder } from '../shared/embedding/embedder.js';
import type { EmbeddingSettings } from '../shared/embedding/embedding-variables.js';
import type { Resources } from '../shared/kernel/concurrency/resources.js';
import { ConfigurationError } from '../shared/kernel/config/config.js';
import type { Logger } from '../shared/kernel/logger.js';
import { createDeferredVectorReader } from '../shared/vectors/deferred-vector-reader.js';
import { openQdrantVectorReader } from '../shared/vectors/qdrant/open-qdrant-vector-reader.js';
import type { QdrantConfig } from '../shared/vectors/qdrant/qdrant-variables.js';
import type { VectorIndexReader } from '../shared/vectors/vectors.js';

type Dependencies = {
  readonly settings: EmbeddingSettings;
  readonly qdrant: QdrantConfig;
  readonly logger: Logger;
  readonly resources: Resources;
};

/** Tries the index once before it resolves. Throws ConfigurationError for a problem that waiting cannot solve. */
export async function openVectorSearch({
  settings,
  qdrant,
  logger,
  resources,
}: Dependencies): Promise<{ readonly embedder: Embedder; readonly vectors: VectorIndexReader }> {
  let current = await chooseEmbedder({ settings, logger });
  resources.add(null, () => current.close());

  async function adopt(dimension: number): Promise<void> {
    if (!qdrant.adoptsDimension) {
      throw new ConfigurationError([
        `the vectors in the Qdrant collection ${qdrant.collection} have ${dimension} values, but queries become vectors of ${current.dimension}: ` +
          `set VECTOR_SIZE=${dimension} and EMBEDDING_PROVIDER to the one that made them, or QDRANT_COLLECTION to another name`,
      ]);
    }
    const previous = current;
    current = await chooseEmbedderOfSize(dimension, { settings, logger });
    await previous.close();
  }

  const vectors = createDeferredVectorReader({
    open: async () => {
      const reader = await openQdrantVectorReader({ config: qdrant });
      if (reader.dimension !== current.dimension) await adopt(reader.dimension);
      return reader;
    },
    expectedDimension: current.dimension,
    logger,
  });
  resources.add(vectors, (opened) => opened.close());
  const problem = await vectors.firstAttempt;
  if (problem instanceof ConfigurationError) throw problem;
  const embedder: Embedder = {
    get model() {
      return current.model;
    },
    get dimension() {
      return current.dimension;
    },
    embed: (texts, options) => current.embed(texts, options),
    close: () => current.close(),
  };
  return { embedder, vectors };
}
