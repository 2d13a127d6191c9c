/**
 * Opens the vector index of the distributed composition: one Qdrant collection for each vector space, with full
 * payloads and a version guard on every write. Vectors are checked and scaled to unit length first, because Qdrant
 * computes lengths in float32, where large components overflow and small ones become 0, and because it ranks a vector
 * that is not finite first, without a score.
 */
import type { Logger } from '../../kernel/logger.js';
import { checkedPoint } from '../../ports/checked-vectors.js';
import type { VectorIndexReader, VectorIndexWriter } from '../../ports/vectors.js';
import { collectionOf, ensureQdrantCollection } from './ensure-qdrant-collection.js';
import { createQdrantClient } from './qdrant-client.js';
import { isCollectionGone } from './qdrant-errors.js';
import { storedPayload, tombstonePayload } from './qdrant-payload.js';
import { createQdrantReader } from './qdrant-reader.js';
import type { QdrantConfig } from './qdrant-variables.js';
import { type Write, writeQdrant } from './write-qdrant.js';

export type QdrantVectorIndex = VectorIndexReader & VectorIndexWriter;

/**
 * `dimension` is the dimension of the embedder. The dimension of the index may differ if `config` adopts the stored
 * one; then the caller must choose another embedder. The index needs no close: each request ends by itself or by its
 * timeout, and idle connections keep no process alive.
 */
export async function openQdrantVectorIndex({
  config,
  dimension: asked,
  number,
  logger,
}: {
  readonly config: QdrantConfig;
  readonly dimension: number;
  /** Of the vector space. */
  readonly number: number;
  readonly logger: Logger;
}): Promise<QdrantVectorIndex> {
  const client = createQdrantClient(config);
  const dimension = await ensureQdrantCollection({ client, config, dimension: asked, number, logger });
  const collection = collectionOf(config, number);
  const target = { client, collection };

  /**
   * A collection that was dropped is made again, so that new memories get their points at once. The points before are
   * missing until they are indexed again.
   */
  async function write(writes: readonly Write[]): Promise<void> {
    try {
      await writeQdrant(target, writes);
    } catch (error) {
      if (!isCollectionGone(error)) throw error;
      logger.error({ collection }, 'the collection of the vectors is gone: making it again, empty');
      await ensureQdrantCollection({
        client,
        config: { ...config, adoptsDimension: false },
        dimension,
        number,
        logger,
      });
      await writeQdrant(target, writes);
    }
  }

  return {
    ...createQdrantReader({ client, config: { ...config, collection }, dimension }),
    upsert: async (points) =>
      write(
        points.map((point) => ({
          id: point.id,
          version: point.version,
          vector: checkedPoint(point, dimension),
          payload: storedPayload(point),
        })),
      ),
    remove: (removals) =>
      write(removals.map(({ id, version }) => ({ id, version, vector: null, payload: tombstonePayload(version) }))),
  };
}
