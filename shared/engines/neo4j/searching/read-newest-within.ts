/** Reads the newest memories of many windows in one statement. Each window is an index scan that ends with its limit. */
import type { MemoryId } from '../../../contract/memory.js';
import type { GraphReader } from '../../../ports/graph.js';
import type { Neo4j } from '../neo4j.js';
import { filterParameters, isAdmittedWithin } from './filter-conditions.js';

/** The property is projected before ORDER BY, and the index is named, for the reasons in read-trending.ts. */
export const NEWEST_WITHIN = `UNWIND range(0, size($given.windows) - 1) AS number
  WITH number, $given.windows[number] AS window
  CALL (window) {
    MATCH (m:Memory) USING INDEX m:Memory(timestamp) WHERE ${isAdmittedWithin('window')}
    WITH m, m.timestamp AS key ORDER BY key DESC, m.rank LIMIT toInteger($given.limit)
    RETURN collect(m.id) AS ids
  }
  RETURN number, ids`;

export async function readNewestWithin(
  neo4j: Pick<Neo4j, 'read'>,
  { windows, filter, limit }: Parameters<GraphReader['newestWithin']>[0],
): Promise<readonly (readonly MemoryId[])[]> {
  if (windows.length === 0) return [];
  const whole = { ...filter, tags: null, excludeTags: [], start: null, end: null };
  const rows = await neo4j.read({ text: NEWEST_WITHIN, given: { ...filterParameters(whole), windows, limit } });
  const found = new Map(rows.map((row) => [Number(row['number']), row['ids'] as MemoryId[]]));
  return windows.map((_, number) => found.get(number) ?? []);
}
