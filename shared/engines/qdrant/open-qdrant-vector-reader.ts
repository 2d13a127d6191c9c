/** Opens the vector index for reads only. The vector indexers create the collection; a reader never does. */
import type { VectorIndexReader } from '../../ports/vectors.js';
import { collectionOf, findQdrantCollection } from './ensure-qdrant-collection.js';
import { createQdrantClient } from './qdrant-client.js';
import { createQdrantReader } from './qdrant-reader.js';
import type { QdrantConfig } from './qdrant-variables.js';

/**
 * The reader has the dimension of the stored vectors, whatever the configuration says. Throws DependencyError('vectors') while Qdrant does not
 * answer or has no collection yet, and ConfigurationError for problems that waiting does not solve.
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
