/**
 * The vector index of the distributed composition: one Qdrant collection behind an alias, whole payloads, every write guarded by its
 * version. Vectors go out checked and at unit length: Qdrant computes lengths in float32, where large components overflow and small ones
 * vanish, and it ranks a vector that is not finite first, without a score.
 */
import type { QdrantClient } from '@qdrant/js-client-rest';
import type { MemoryId } from '../../contract/memory.js';
import type { Logger } from '../../kernel/logger.js';
import { checkedPoint, checkedQuery } from '../checked-vectors.js';
import type { VectorIndexReader, VectorIndexWriter } from '../vectors.js';
import { createQdrantClient } from './create-qdrant-client.js';
import { ensureQdrantCollection } from './ensure-qdrant-collection.js';
import { rethrowRead } from './qdrant-errors.js';
import { presentFilter } from './qdrant-filter.js';
import { storedPayload, tombstonePayload } from './qdrant-payload.js';
import type { QdrantConfig } from './qdrant-variables.js';
import { searchQdrant } from './search-qdrant.js';
import { writeQdrant } from './write-qdrant.js';

/** Ids in one request. */
const ID_LIMIT = 1_000;

export type QdrantVectorIndex = VectorIndexReader & VectorIndexWriter;

/**
 * `dimension` is what the embedder makes. The index's own may be another where `config` adopts what is stored: then compare the two, and
 * choose the embedder anew. Nothing is held open: each request ends by itself or by its timeout, and idle connections keep no process.
 */
export async function openQdrantVectorIndex({ config, dimension: asked, logger }: {
  readonly config: QdrantConfig;
  readonly dimension: number;
  readonly logger: Logger;
}): Promise<QdrantVectorIndex> {
  const client = createQdrantClient(config);
  const dimension = await ensureQdrantCollection({ client, config, dimension: asked, logger });
  const { collection, hnswEf } = config;
  const target = { client, collection };
  return {
    dimension,
    ping: async () => {
      await client.getCollection(collection).catch(rethrowRead);
    },
    search: async ({ vector, limit, filter }) => {
      const unit = checkedQuery(vector, dimension);
      return limit < 1 ? [] : searchQdrant({ ...target, hnswEf }, { vector: unit, limit, filter });
    },
    versions: (ids) => versionsOf(target, ids),
    count: async ({ excludedTypes }) => (await client.count(collection, { filter: presentFilter(excludedTypes), exact: true }).catch(rethrowRead)).count,
    upsert: async (points) => writeQdrant(target, points.map((point) => (
      { id: point.id, version: point.version, vector: checkedPoint(point, dimension), payload: storedPayload(point) }
    ))),
    remove: (removals) => writeQdrant(target, removals.map(({ id, version }) => ({ id, version, vector: null, payload: tombstonePayload(version) }))),
  };
}

async function versionsOf(
  { client, collection }: { readonly client: QdrantClient; readonly collection: string },
  ids: readonly MemoryId[],
): Promise<ReadonlyMap<MemoryId, number>> {
  const versions = new Map<MemoryId, number>();
  for (let start = 0; start < ids.length; start += ID_LIMIT) {
    const points = await client.retrieve(collection, { ids: ids.slice(start, start + ID_LIMIT), with_payload: ['version', 'removed'] }).catch(rethrowRead);
    for (const { id, payload } of points) {
      if (payload?.['removed'] !== true) versions.set(String(id) as MemoryId, Number(payload?.['version'])); // points have the ids of memories
    }
  }
  return versions;
}
