/** Gives the ports that Qdrant implements. Nothing is connected before the first call. */
import type { Logger } from '../../kernel/logger.js';
import type { VectorIndexes, VectorSpace } from '../../ports/vector-spaces.js';
import type { VectorIndexReader } from '../../ports/vectors.js';
import { collectionOf, findQdrantCollection, publishQdrantCollection } from './ensure-qdrant-collection.js';
import { openQdrantVectorIndex } from './open-qdrant-vector-index.js';
import { createQdrantClient } from './qdrant-client.js';
import { rethrowOpeningError } from './qdrant-errors.js';
import { createQdrantIndexMark } from './qdrant-index-mark.js';
import { createQdrantReader } from './qdrant-reader.js';
import type { QdrantConfig } from './qdrant-variables.js';

/** The methods open one vector space, by its number. */
export type QdrantPorts = ReturnType<typeof qdrantPorts>;

export function qdrantPorts({ config, logger }: { readonly config: QdrantConfig; readonly logger: Logger }) {
  return {
    indexes: createQdrantVectorIndexes({ config, logger }),
    mark: (number: number) => createQdrantIndexMark({ config, number }),
    openReader: (number: number) => openQdrantVectorReader({ config, number }),
    /**
     * Creates the collection if it is absent. `adoptsDimension: false`: a stored dimension that differs is an error.
     */
    openIndex: (
      { number, dimension }: Pick<VectorSpace, 'number' | 'dimension'>,
      changes: Partial<Pick<QdrantConfig, 'adoptsDimension'>> = {},
    ) => openQdrantVectorIndex({ config: { ...config, ...changes }, number, dimension, logger }),
  };
}

/** The name of this server in messages, without its key. */
export function qdrantAddress({ host, port }: QdrantConfig): string {
  return `Qdrant at ${host}:${port}`;
}

/**
 * Opens the vector index for reads only. The vector indexers create the collection; a reader never does. The reader
 * has the dimension of the stored vectors, whatever the configuration says. Throws DependencyError('vectors') while
 * Qdrant does not answer or has no collection yet, and ConfigurationError for problems that waiting does not solve.
 */
export async function openQdrantVectorReader({
  config,
  number,
}: {
  readonly config: QdrantConfig;
  /** Of the vector space. */
  readonly number: number;
}): Promise<VectorIndexReader> {
  const client = createQdrantClient(config);
  const dimension = await findQdrantCollection({ client, config, number });
  return createQdrantReader({ client, config: { ...config, collection: collectionOf(config, number) }, dimension });
}

/** The stored indexes of the vector spaces in Qdrant: one collection for each, and an alias on the active one. */
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
