/** Reads the associations of each memory together with the memories at their other ends. */
import type { AssociationType } from '../../../../contract/association.js';
import type { MemoryId } from '../../../../contract/memory.js';
import type { Relation } from '../../../../ports/graph.js';
import { summarize } from '../../../../text/summarize.js';
import type { SqlRow } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';
import { loadedMemory, MEMORY_COLUMNS, propertiesOf } from '../schema/rows.js';

type Request = {
  readonly ids: readonly MemoryId[];
  readonly direction: 'outgoing' | 'both';
  readonly types?: readonly AssociationType[];
  readonly minStrength?: number;
  readonly excludedTypes?: readonly string[];
  readonly limit: number;
};

export const readRelations = procedure(
  import.meta.url,
  'readRelations',
  (database, request: Request): Map<MemoryId, Relation[]> => {
    const sql = relationsOfOne(request.direction);
    const types = request.types ? JSON.stringify(request.types) : null;
    const excluded = JSON.stringify(request.excludedTypes ?? []);
    return new Map(
      request.ids.map((id) => [
        id,
        database.all(sql, [id, types, request.limit, request.minStrength ?? 0, excluded]).map(relationOf),
      ]),
    );
  },
);

/**
 * Sorts and limits narrow rows, then reads only the bodies that remain. Otherwise the sort would carry the bodies of
 * all neighbours of a hub.
 */
function relationsOfOne(direction: Request['direction']): string {
  const ends = direction === 'outgoing' ? [end('outgoing')] : [end('outgoing'), end('incoming')];
  return `WITH self AS (SELECT n FROM memories WHERE id = ?1 AND present = 1),
    nearest AS (${ends.join(' UNION ALL ')} ORDER BY derived, updated_at DESC, type, other_id, direction DESC LIMIT ?3)
    SELECT nearest.*, ${MEMORY_COLUMNS} FROM nearest JOIN memories AS m ON m.n = nearest.other JOIN memory_bodies AS b ON b.n = m.n
    ORDER BY nearest.derived, nearest.updated_at DESC, nearest.type, nearest.other_id, nearest.direction DESC`;
}

function end(direction: 'outgoing' | 'incoming'): string {
  const [here, there] = direction === 'outgoing' ? ['source', 'target'] : ['target', 'source'];
  return `SELECT '${direction}' AS direction, a.type AS type, a.strength, a.created_at, a.updated_at AS updated_at, a.properties, a.derived AS derived, o.n AS other, o.id AS other_id
    FROM self JOIN associations AS a ON a.${here} = self.n JOIN memories AS o ON o.n = a.${there}
    WHERE o.present = 1 AND (?2 IS NULL OR a.type IN (SELECT value FROM json_each(?2))) AND a.strength >= ?4
      AND o.type NOT IN (SELECT value FROM json_each(?5))`;
}

function relationOf(row: SqlRow): Relation {
  return {
    type: row['type'] as AssociationType,
    direction: row['direction'] as Relation['direction'],
    strength: Number(row['strength']),
    created_at: String(row['created_at']),
    updated_at: String(row['updated_at']),
    properties: propertiesOf(row),
    memory: summarize(loadedMemory(row).memory),
  };
}
