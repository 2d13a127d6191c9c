/**
 * Finds the memories just before and just after given moments: two scans of at most ADJACENT_TESTED rows of the time
 * index for each anchor.
 */
import type { MemoryId } from '../../../../contract/memory.js';
import { ADJACENT_TESTED, type AdjacentHits, type AdjacentSearch, type Anchor } from '../../../../ports/graph.js';
import type { Database } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';
import { type Conditions, conditions, tagCondition } from './filter-sql.js';

/** Runs the searches of one request in one procedure, which costs one call of a reader thread. */
export const searchAllAdjacent = procedure(
  import.meta.url,
  'searchAllAdjacent',
  (database, searches: readonly AdjacentSearch[]): AdjacentHits[][] =>
    searches.map(({ anchors, filter, limit }) => {
      const admitted = conditions(filter);
      return anchors.map((anchor) => ({
        before: idsOn(database, BEFORE, { anchor, bounds: [anchor.from, anchor.at], admitted, limit }),
        after: idsOn(database, AFTER, { anchor, bounds: [anchor.at, anchor.until], admitted, limit }),
      }));
    }),
);

type Side = { readonly bounds: string; readonly order: 'DESC' | 'ASC' };

const BEFORE: Side = { bounds: 'timestamp >= ? AND timestamp < ?', order: 'DESC' };
const AFTER: Side = { bounds: 'timestamp > ? AND timestamp <= ?', order: 'ASC' };

type Request = {
  readonly anchor: Anchor;
  readonly bounds: readonly [string, string];
  readonly admitted: Conditions;
  readonly limit: number;
};

function idsOn(database: Database, side: Side, { anchor: { tag }, bounds, admitted, limit }: Request): MemoryId[] {
  const tagged = tag === null ? null : tagCondition({ values: [tag], mode: 'any', match: 'exact' });
  const rows = database.all(
    `SELECT m.id FROM (
       SELECT n FROM memories INDEXED BY memories_by_timestamp WHERE present = 1 AND ${side.bounds}
       ORDER BY timestamp ${side.order} LIMIT ${ADJACENT_TESTED}
     ) AS near CROSS JOIN memories AS m ON m.n = near.n
     WHERE ${admitted.sql} ${tagged ? `AND ${tagged.sql}` : ''}
     ORDER BY m.timestamp ${side.order}, m.importance DESC, m.id LIMIT ?`,
    [...bounds, ...admitted.params, ...(tagged?.params ?? []), limit],
  );
  return rows.map((row) => row['id'] as MemoryId);
}
