/** The stored indexes of the vector spaces in Qdrant: one collection for each, and an alias on the active one. */
import type { Logger } from '../../kernel/logger.js';
import type { VectorIndexes } from '../../ports/vector-spaces.js';
import { collectionOf, publishQdrantCollection } from './ensure-qdrant-collection.js';
import { openQdrantVectorIndex } from './open-qdrant-vector-index.js';
import { createQdrantClient } from './qdrant-client.js';
import { rethrowOpeningError } from './qdrant-errors.js';
import type { QdrantConfig } from './qdrant-variables.js';

export function createQdrantVectorIndexes({
  config,
  logger,
}: {
  readonly config: QdrantConfig;
  readonly logger: Logger;
}): VectorIndexes {
  const client = createQdrantClient(config);
  return {
    openStore: ({ number, dimension }) =>
      openQdrantVectorIndex({ config: { ...config, adoptsDimension: false }, dimension, number, logger }),
    drop: async (number) =>
      void (await client.deleteCollection(collectionOf(config, number)).catch(rethrowOpeningError)),
    publish: (number) => publishQdrantCollection({ client, config, number }).catch(rethrowOpeningError),
  };
}
