/**
 * The vector index of the embedded composition: exact, durable in the SQLite file, and scanned by a thread of its own.
 * A write commits in the writer thread, then the scan thread loads the written rows before the call resolves.
 */
import type { MemoryId } from '../../../contract/memory.js';
import { batchTurn } from '../../../kernel/concurrency/batch-turn.js';
import { ConfigurationError } from '../../../kernel/config/config.js';
import { checkedPoint, checkedQuery } from '../../../ports/checked-vectors.js';
import type { VectorIndexReader, VectorIndexWriter } from '../../../ports/vectors.js';
import type { Procedure, SqliteHost } from '../threads/host.js';
import { createEmbeddedPointReader } from './read-points.js';
import { rethrowAsVectors } from './rethrow-as-vectors.js';
import {
  countPoints,
  loadPage,
  loadPoints,
  openIndex,
  pingIndex,
  readVersions,
  type Search,
  searchPoints,
} from './scan-points.js';
import { removePoints, WRITE_LIMIT, writePoints, type Writes } from './write-points.js';

/**
 * Searches in one message. A recall waits for one message of the enricher at most: 10 ms at 10,000 points, 50 ms at
 * 100,000.
 */
const SEARCHES_LIMIT = 8;

export type EmbeddedVectorIndex = VectorIndexReader & VectorIndexWriter & { readonly close: () => Promise<void> };

/** `close` ends the scan thread. */
export async function createEmbeddedVectorIndex({
  host,
  dimension,
  space = 1,
}: {
  readonly host: SqliteHost;
  readonly dimension: number;
  /** The number of the vector space; its table exists. */
  readonly space?: number;
}): Promise<EmbeddedVectorIndex> {
  const scanner = await host.openReader(`vectors ${space}`, (read) =>
    load((called, args) => read(called, args).catch(rethrowAsVectors), { space, dimension }),
  );
  const scan = <A, R>(called: Procedure<A, R>, args: A): Promise<R> =>
    scanner.read(called, args).catch(rethrowAsVectors);

  /** Searches of the same turn are one message: a message takes as long as the scan of 10,000 points. */
  const search = batchTurn({
    limit: SEARCHES_LIMIT,
    run: (searches: readonly Search[]) => scan(searchPoints, searches),
  });

  async function write<T extends { readonly id: MemoryId }>(
    called: Procedure<Writes<T>, void>,
    items: readonly T[],
  ): Promise<void> {
    for (let start = 0; start < items.length; start += WRITE_LIMIT) {
      const group = items.slice(start, start + WRITE_LIMIT);
      await host.writeDerived(called, { space, items: group }).catch(rethrowAsVectors);
      await scan(
        loadPoints,
        group.map(({ id }) => id),
      );
    }
  }

  return {
    dimension,
    ping: () => scan(pingIndex, undefined),
    search: async ({ vector, limit, filter }) => {
      const unit = checkedQuery(vector, dimension);
      return limit < 1 ? [] : search({ vector: unit, limit, filter });
    },
    versions: (ids) => scan(readVersions, ids),
    count: ({ excludedTypes }) => scan(countPoints, excludedTypes),
    // Not in the scan thread, for which searches wait.
    ...createEmbeddedPointReader({ host, space }),
    upsert: async (points) =>
      write(
        writePoints,
        points.map((point) => ({ ...point, vector: checkedPoint(point, dimension) })),
      ),
    remove: (removals) => write(removePoints, removals),
    close: () => scanner.close(),
  };
}

async function load(
  scan: <A, R>(called: Procedure<A, R>, args: A) => Promise<R>,
  { space, dimension }: { readonly space: number; readonly dimension: number },
): Promise<void> {
  const stored = await scan(openIndex, { space, dimension });
  if (stored !== null && stored !== dimension) {
    throw new ConfigurationError([
      `the stored vectors have ${stored} values, but VECTOR_SIZE or the embedding provider asks for ${dimension}: ` +
        `set VECTOR_SIZE=${stored} and EMBEDDING_PROVIDER to the one that made them`,
    ]);
  }
  for (let after: number | null = 0; after !== null; after = await scan(loadPage, after));
}
