/**
 * The vector index of the distributed composition: one Qdrant collection behind an alias, whole payloads, every write guarded by its
 * version. Vectors go out checked and at unit length: Qdrant computes lengths in float32, where large components overflow and small ones
 * vanish, and it ranks a vector that is not finite first, without a score.
 */
import type { Logger } from '../../kernel/logger.js';
import { checkedPoint } from '../checked-vectors.js';
import type { VectorIndexReader, VectorIndexWriter } from '../vectors.js';
import { createQdrantClient } from './create-qdrant-client.js';
import { createQdrantReader } from './create-qdrant-reader.js';
import { ensureQdrantCollection } from './ensure-qdrant-collection.js';
import { storedPayload, tombstonePayload } from './qdrant-payload.js';
import type { QdrantConfig } from './qdrant-variables.js';
import { writeQdrant } from './write-qdrant.js';

export type QdrantVectorIndex = VectorIndexReader & VectorIndexWriter;

/**
 * `dimension` is what the embedder makes. The index's own may be another where `config` adopts what is stored: then compare the two, and
 * choose the embedder anew. Nothing is held open: each request ends by itself or by its timeout, and idle connections keep no process.
 */
export async function openQdrantVectorIndex({
  config,
  dimension: asked,
  logger,
}: {
  readonly config: QdrantConfig;
  readonly dimension: number;
  readonly logger: Logger;
}): Promise<QdrantVectorIndex> {
  const client = createQdrantClient(config);
  const dimension = await ensureQdrantCollection({ client, config, dimension: asked, logger });
  const target = { client, collection: config.collection };
  return {
    ...createQdrantReader({ client, config, dimension }),
    upsert: async (points) =>
      writeQdrant(
        target,
        points.map((point) => ({
          id: point.id,
          version: point.version,
          vector: checkedPoint(point, dimension),
          payload: storedPayload(point),
        })),
      ),
    remove: (removals) =>
      writeQdrant(
        target,
        removals.map(({ id, version }) => ({ id, version, vector: null, payload: tombstonePayload(version) })),
      ),
  };
}
