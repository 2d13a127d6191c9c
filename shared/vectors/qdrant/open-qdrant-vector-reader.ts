/** The vector index for those who only read it: they find the collection that the vector indexers have made, and make none. */
import type { VectorIndexReader } from '../vectors.js';
import { createQdrantClient } from './create-qdrant-client.js';
import { createQdrantReader } from './create-qdrant-reader.js';
import { findQdrantCollection } from './ensure-qdrant-collection.js';
import type { QdrantConfig } from './qdrant-variables.js';

/**
 * `dimension` is that of the stored vectors, whatever the configuration asks for. Throws DependencyError('vectors') while Qdrant does not
 * answer or has no collection yet, ConfigurationError for what waiting cannot mend.
 */
export async function openQdrantVectorReader({
  config,
}: {
  readonly config: QdrantConfig;
}): Promise<VectorIndexReader> {
  const client = createQdrantClient(config);
  return createQdrantReader({ client, config, dimension: await findQdrantCollection({ client, config }) });
}
