/** What is asked of a collection: searches, versions, counts. Queries go out checked and at unit length, as points do. */
import type { QdrantClient } from '@qdrant/js-client-rest';
import type { MemoryId } from '../../contract/memory.js';
import { checkedQuery } from '../checked-vectors.js';
import type { VectorIndexReader } from '../vectors.js';
import { rethrowRead } from './qdrant-errors.js';
import { presentFilter } from './qdrant-filter.js';
import type { QdrantConfig } from './qdrant-variables.js';
import { queryTogether } from './query-together.js';
import { searchQdrant } from './search-qdrant.js';

/** Ids in one request. */
const ID_LIMIT = 1_000;

export function createQdrantReader({
  client,
  config: { collection, hnswEf },
  dimension,
}: {
  readonly client: QdrantClient;
  readonly config: QdrantConfig;
  /** What the collection really holds. */
  readonly dimension: number;
}): VectorIndexReader {
  const target = { client, collection };
  const query = queryTogether(target);
  return {
    dimension,
    ping: async () => {
      await client.getCollection(collection).catch(rethrowRead);
    },
    search: async ({ vector, limit, filter }) => {
      const unit = checkedQuery(vector, dimension);
      return limit < 1 ? [] : searchQdrant({ query, hnswEf }, { vector: unit, limit, filter });
    },
    versions: (ids) => versionsOf(target, ids),
    count: async ({ excludedTypes }) =>
      (await client.count(collection, { filter: presentFilter(excludedTypes), exact: true }).catch(rethrowRead)).count,
  };
}

async function versionsOf(
  { client, collection }: { readonly client: QdrantClient; readonly collection: string },
  ids: readonly MemoryId[],
): Promise<ReadonlyMap<MemoryId, number>> {
  const versions = new Map<MemoryId, number>();
  for (let start = 0; start < ids.length; start += ID_LIMIT) {
    const points = await client
      .retrieve(collection, { ids: ids.slice(start, start + ID_LIMIT), with_payload: ['version', 'removed'] })
      .catch(rethrowRead);
    for (const { id, payload } of points) {
      if (payload?.['removed'] !== true) versions.set(String(id) as MemoryId, Number(payload?.['version'])); // points have the ids of memories
    }
  }
  return versions;
}
