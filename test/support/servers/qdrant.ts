/** A Qdrant collection per test, in a real Qdrant. */
import { randomUUID } from 'node:crypto';
import {
  openQdrantVectorIndex,
  type QdrantVectorIndex,
} from '../../../shared/engines/qdrant/open-qdrant-vector-index.js';
import { createQdrantClient } from '../../../shared/engines/qdrant/qdrant-client.js';
import { type QdrantConfig, qdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { serverAddress } from './servers.js';

/** A unique collection. Search is exact (`hnswEf: 0`), because tests assert the neighbours. */
export function qdrantTestConfig(overrides: Partial<QdrantConfig> = {}): QdrantConfig {
  const config = qdrantConfig({ QDRANT_URL: serverAddress('qdrant'), QDRANT_COLLECTION: `test-${randomUUID()}` });
  return { ...config, hnswEf: 0, adoptsDimension: false, ...overrides };
}

export function openQdrantIndex(config: QdrantConfig, dimension = 3): Promise<QdrantVectorIndex> {
  return openQdrantVectorIndex({ config, dimension, number: 1, logger: silentLogger });
}

/** Deletes each collection whose name begins with the configured alias. */
export async function dropCollections(config: QdrantConfig): Promise<void> {
  const client = createQdrantClient(config);
  const { collections } = await client.getCollections();
  for (const { name } of collections) if (name.startsWith(config.collection)) await client.deleteCollection(name);
}
