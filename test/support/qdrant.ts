/** Collections of a real Qdrant for tests, each its own. */
import { randomUUID } from 'node:crypto';
import { silentLogger } from '../../shared/kernel/logger.js';
import { createQdrantClient } from '../../shared/vectors/qdrant/create-qdrant-client.js';
import { openQdrantVectorIndex, type QdrantVectorIndex } from '../../shared/vectors/qdrant/open-qdrant-vector-index.js';
import { qdrantConfig, type QdrantConfig } from '../../shared/vectors/qdrant/qdrant-variables.js';
import { serverAddress } from './servers.js';

/** A collection that no other test has; searched exactly, since tests assert neighbours. */
export function qdrantTestConfig(overrides: Partial<QdrantConfig> = {}): QdrantConfig {
  const config = qdrantConfig({ QDRANT_URL: serverAddress('qdrant'), QDRANT_COLLECTION: `test-${randomUUID()}` });
  return { ...config, hnswEf: 0, adoptsDimension: false, ...overrides };
}

export function openQdrantIndex(config: QdrantConfig, dimension = 3): Promise<QdrantVectorIndex> {
  return openQdrantVectorIndex({ config, dimension, logger: silentLogger });
}

/** Deletes the collections under the config's alias and all that are named after it. */
export async function dropCollections(config: QdrantConfig): Promise<void> {
  const client = createQdrantClient(config);
  const { collections } = await client.getCollections();
  for (const { name } of collections) if (name.startsWith(config.collection)) await client.deleteCollection(name);
}
