/**
 * Reads memories by importance or time under a filter: 0.2 to 4 ms at 100,000 memories under every filter that was
 * measured.
 */
import { type MemoryFilter, NO_CONDITIONS, tagFiltersOf } from '../../../../contract/filter.js';
import type { MemoryId } from '../../../../contract/memory.js';
import type { GraphReader, TrendingOrder } from '../../../../ports/graph.js';
import type { Database, SqlValue } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';
import { conditions } from './filter-sql.js';
import { narrowTags } from './narrow-tags.js';
import { hasLapsed, isNarrowWindow } from './selectivity.js';

type Request = { readonly filter: MemoryFilter; readonly order: TrendingOrder; readonly limit: number };

const ORDERS: Readonly<Record<TrendingOrder, { readonly index: string; readonly by: string }>> = {
  importance: { index: 'memories_by_importance', by: 'm.importance DESC, m.timestamp DESC, m.id' },
  time_desc: { index: 'memories_by_timestamp', by: 'm.timestamp DESC, m.importance DESC, m.id' },
  time_asc: { index: 'memories_by_timestamp', by: 'm.timestamp, m.importance DESC, m.id' },
  updated_desc: { index: 'memories_by_update', by: 'm.updated_at DESC, m.importance DESC, m.id' },
  updated_asc: { index: 'memories_by_update', by: 'm.updated_at, m.importance DESC, m.id' },
};

/**
 * Up to this number of memories with the tags, or in the window, are all filtered and sorted; beyond it, an index scan
 * in the wanted order is faster.
 */
const NARROW = 3_000;

export const readTrending = procedure(import.meta.url, 'readTrending', (database, request: Request): MemoryId[] =>
  trending(database, request),
);

export const readNewestWithin = procedure(
  import.meta.url,
  'readNewestWithin',
  (database, { windows, filter, limit }: Parameters<GraphReader['newestWithin']>[0]): MemoryId[][] =>
    windows.map((window) =>
      trending(database, {
        filter: { ...filter, ...NO_CONDITIONS, ...window },
        order: 'time_desc',
        limit,
      }),
    ),
);

function trending(database: Database, { filter, order, limit }: Request): MemoryId[] {
  if (filter.state === 'lapsed' && !hasLapsed(database, filter.now)) return [];
  const { index, by } = ORDERS[order];
  const [from, params] = withTags(database, filter) ?? narrowWindow(database, filter, index) ?? walk(filter, index);
  return database
    .all(`SELECT m.id ${from} ORDER BY ${by} LIMIT ?`, [...params, limit])
    .map((row) => row['id'] as MemoryId);
}

type From = readonly [sql: string, params: readonly SqlValue[]];

function walk(filter: MemoryFilter, index: string): From {
  const { sql, params } = conditions(filter);
  return [`FROM memories AS m INDEXED BY ${index} WHERE ${sql}`, params];
}

function withTags(database: Database, filter: MemoryFilter): From | null {
  const [rows] = tagFiltersOf(filter).flatMap((tags) => narrowTags(database, tags, NARROW) ?? []);
  if (!rows) return null;
  const { sql, params } = conditions(filter);
  const tagged = `SELECT DISTINCT n FROM (${rows.sql})`;
  return [
    `FROM (${tagged}) AS tagged CROSS JOIN memories AS m ON m.n = tagged.n WHERE ${sql}`,
    [...rows.params, ...params],
  ];
}

/** An order by timestamp needs no count: its index scan starts inside the window. */
function narrowWindow(database: Database, filter: MemoryFilter, index: string): From | null {
  return index !== 'memories_by_timestamp' && isNarrowWindow(database, filter, NARROW)
    ? walk(filter, 'memories_by_timestamp')
    : null;
}
