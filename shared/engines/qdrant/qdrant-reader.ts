/**
 * Reads a Qdrant collection: searches, versions and counts. Queries are checked and scaled to unit length, like points.
 */
import type { QdrantClient } from '@qdrant/js-client-rest';
import type { MemoryId } from '../../contract/memory.js';
import { checkedQuery } from '../../ports/checked-vectors.js';
import type { ScannedPoint, VectorIndexReader } from '../../ports/vectors.js';
import { batchQueries } from './batch-queries.js';
import { rethrowReadError } from './qdrant-errors.js';
import { presentFilter } from './qdrant-filter.js';
import { scannedPoint } from './qdrant-payload.js';
import type { QdrantConfig } from './qdrant-variables.js';
import { searchQdrant } from './search-qdrant.js';

/** Ids in one request. */
const ID_LIMIT = 1_000;

export function createQdrantReader({
  client,
  config: { collection, hnswEf, timeoutMs },
  dimension,
}: {
  readonly client: QdrantClient;
  readonly config: QdrantConfig;
  /** The dimension of the stored vectors. */
  readonly dimension: number;
}): VectorIndexReader {
  const target = { client, collection };
  const query = batchQueries({ ...target, timeoutMs });
  return {
    dimension,
    ping: async () => {
      await client.getCollection(collection).catch(rethrowReadError);
    },
    search: async ({ vector, limit, filter }) => {
      const unit = checkedQuery(vector, dimension);
      return limit < 1 ? [] : searchQdrant({ query, hnswEf }, { vector: unit, limit, filter });
    },
    versions: (ids) => versionsOf(target, ids),
    count: async ({ excludedTypes }) =>
      (await client.count(collection, { filter: presentFilter(excludedTypes), exact: true }).catch(rethrowReadError))
        .count,
    points: (ids) => readPoints(target, ids),
    vectors: (ids) => readVectors(target, ids),
    scan: (request) => scanPoints(target, request),
  };
}

async function readPoints(
  { client, collection }: { readonly client: QdrantClient; readonly collection: string },
  ids: readonly MemoryId[],
): Promise<readonly ScannedPoint[]> {
  if (ids.length === 0) return [];
  const points = await client.retrieve(collection, { ids: [...ids], with_payload: true }).catch(rethrowReadError);
  return points
    .filter(({ payload }) => payload?.['removed'] !== true)
    .map(({ id, payload }) => scannedPoint(String(id) as MemoryId, payload ?? {})); // points have the ids of memories
}

/** A removed point has no vector. */
async function readVectors(
  { client, collection }: { readonly client: QdrantClient; readonly collection: string },
  ids: readonly MemoryId[],
): Promise<ReadonlyMap<MemoryId, Float32Array>> {
  if (ids.length === 0) return new Map();
  const points = await client
    .retrieve(collection, { ids: [...ids], with_vector: true, with_payload: ['removed'] })
    .catch(rethrowReadError);
  return new Map(
    points
      .filter(({ payload, vector }) => payload?.['removed'] !== true && Array.isArray(vector))
      .map(({ id, vector }) => [String(id) as MemoryId, Float32Array.from(vector as number[])]), // points have the ids of memories, and one vector
  );
}

/** `offset` is the first id of a page, so the page begins with the last point of the page before. */
async function scanPoints(
  { client, collection }: { readonly client: QdrantClient; readonly collection: string },
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly ScannedPoint[]> {
  const { points } = await client
    .scroll(collection, {
      ...(after === '' ? { limit } : { offset: after, limit: limit + 1 }),
      filter: presentFilter([]),
      with_payload: true,
    })
    .catch(rethrowReadError);
  return points
    .filter(({ id }) => id !== after)
    .slice(0, limit)
    .map(({ id, payload }) => scannedPoint(String(id) as MemoryId, payload ?? {})); // points have the ids of memories
}

async function versionsOf(
  { client, collection }: { readonly client: QdrantClient; readonly collection: string },
  ids: readonly MemoryId[],
): Promise<ReadonlyMap<MemoryId, number>> {
  const versions = new Map<MemoryId, number>();
  for (let start = 0; start < ids.length; start += ID_LIMIT) {
    const points = await client
      .retrieve(collection, { ids: ids.slice(start, start + ID_LIMIT), with_payload: ['version', 'removed'] })
      .catch(rethrowReadError);
    for (const { id, payload } of points) {
      if (payload?.['removed'] !== true) versions.set(String(id) as MemoryId, Number(payload?.['version'])); // points have the ids of memories
    }
  }
  return versions;
}
