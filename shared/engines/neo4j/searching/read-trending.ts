/**
 * Reads memories by importance or time under a filter. For a filter that admits most memories, it scans the index of
 * the order until the limit is filled. For a filter that may admit few, this scan would be slow (100 ms for all of
 * 100,000), so it asks the full-text index first and sorts the matches.
 */
import type { MemoryFilter } from '../../../contract/filter.js';
import type { MemoryId } from '../../../contract/memory.js';
import type { TrendingOrder } from '../../../ports/graph.js';
import type { Neo4j } from '../neo4j.js';
import { filterParameters, IS_ADMITTED } from './filter-conditions.js';
import { filterClauses, isIndexed } from './full-text-query.js';

type Request = { readonly filter: MemoryFilter; readonly order: TrendingOrder; readonly limit: number };

/** Up to this number of matches are all sorted; beyond it, the index scan fills the limit soon. */
const NARROW = 2_000;

export async function readTrending(
  neo4j: Pick<Neo4j, 'read'>,
  { filter, order, limit }: Request,
): Promise<readonly MemoryId[]> {
  const few = isIndexed(filter) ? await sortFew(neo4j, { filter, order, limit }) : null;
  if (few) return few;
  const rows = await neo4j.read({ text: WALKS[order], given: { ...filterParameters(filter), limit } });
  return rows.map((row) => row['id'] as MemoryId);
}

/** Null when more than NARROW memories match. */
async function sortFew(
  neo4j: Pick<Neo4j, 'read'>,
  { filter, order, limit }: Request,
): Promise<readonly MemoryId[] | null> {
  const given = { query: filterClauses(filter).join(' '), most: NARROW + 1, narrow: NARROW, limit };
  const [row] = await neo4j.read({ text: SORTS[order], given });
  return row?.['isNarrow'] === true ? (row['ids'] as MemoryId[]) : null;
}

/**
 * The property must be projected before ORDER BY: otherwise Neo4j sorts all memories although the index has the order
 * (910 ms).
 */
const ORDERS: Readonly<Record<TrendingOrder, { readonly property: string; readonly by: string }>> = {
  importance: { property: 'rank', by: 'key' },
  time_desc: { property: 'timestamp', by: 'key DESC, m.rank' },
  time_asc: { property: 'timestamp', by: 'key, m.rank' },
  updated_desc: { property: 'updated_at', by: 'key DESC, m.importance DESC, m.id' },
  updated_asc: { property: 'updated_at', by: 'key, m.importance DESC, m.id' },
};

/** The index hint is needed: without it the planner uses the index on timestamps and sorts all memories (510 ms). */
export const WALKS = eachOrder(
  ({ property, by }) => `MATCH (m:Memory) USING INDEX m:Memory(${property}) WHERE m.${property} > '' AND ${IS_ADMITTED}
  WITH m, m.${property} AS key ORDER BY ${by} LIMIT toInteger($given.limit)
  RETURN m.id AS id`,
);

export const SORTS = eachOrder(
  ({ property, by }) => `CALL () {
    CALL db.index.fulltext.queryNodes('memory_terms', $given.query, {limit: toInteger($given.most)}) YIELD node
    RETURN collect(node) AS found
  }
  WITH found, size(found) <= $given.narrow AS isNarrow
  RETURN isNarrow, COLLECT {
    UNWIND CASE WHEN isNarrow THEN found ELSE [] END AS m
    WITH m, m.${property} AS key ORDER BY ${by} LIMIT toInteger($given.limit)
    RETURN m.id
  } AS ids`,
);

function eachOrder(
  textOf: (order: { readonly property: string; readonly by: string }) => string,
): Readonly<Record<TrendingOrder, string>> {
  return {
    importance: textOf(ORDERS.importance),
    time_desc: textOf(ORDERS.time_desc),
    time_asc: textOf(ORDERS.time_asc),
    updated_desc: textOf(ORDERS.updated_desc),
    updated_asc: textOf(ORDERS.updated_asc),
  };
}
