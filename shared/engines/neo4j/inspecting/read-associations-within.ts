/** Reads a page of the associations between memories of a selection. */
import type { Association, AssociationKey, AssociationType } from '../../../contract/association.js';
import type { MemoryId } from '../../../contract/memory.js';
import type { ImportanceCursor, Selection } from '../../../ports/graph-inspector.js';
import type { Neo4j, Row } from '../neo4j.js';
import { readCompleteRows } from '../reading/read-memories.js';
import { ANY_ASSOCIATION } from '../schema/any-association.js';
import { rankAfter, rankOf } from '../schema/rank.js';

/**
 * The inner limit bounds the sort of a memory with many associations. Properties are read only for the rows that
 * remain. `coalesce` hides the properties of `t` from the indexes: otherwise the planner begins at all memories of
 * these ranks.
 */
const PAGE = `UNWIND range(0, size($given.ids) - 1) AS position
  WITH position, $given.ids[position] AS id
  MATCH (s:Subject {id: id}) USING INDEX SEEK s:Subject(id) WHERE s:Memory
  CALL (s, position) {
    MATCH (s)-[r:${ANY_ASSOCIATION}]->(t:Memory)
    WHERE coalesce(t.rank, '') <= $given.last AND coalesce(t.rank, '') < $given.end AND coalesce(t.timestamp, '') >= $given.since
      AND ($given.types IS NULL OR t.type IN $given.types)
      AND (position > 0 OR type(r) > $given.type OR (type(r) = $given.type AND t.id > $given.target))
    WITH r, type(r) AS type, t.id AS target ORDER BY type, target LIMIT toInteger($given.limit)
    RETURN r, type, target
  }
  WITH position, id, r, type, target ORDER BY position, type, target LIMIT toInteger($given.limit)
  RETURN id AS source, type, target, r.strength AS strength, r.properties AS properties, r.created_at AS created_at, r.updated_at AS updated_at
  ORDER BY position, type, target`;

type Page = Selection & {
  readonly ids: readonly MemoryId[];
  readonly last: ImportanceCursor;
  readonly after: AssociationKey | null;
  readonly limit: number;
};

export async function readAssociationsWithin(
  neo4j: Pick<Neo4j, 'read'>,
  { ids, after, last, minImportance, since, types, limit }: Page,
): Promise<readonly Association[]> {
  const rest = after === null ? ids : ids.slice(Math.max(0, ids.indexOf(after.source)));
  if (rest.length === 0) return [];
  const given = {
    ids: rest,
    last: rankOf(last),
    end: rankAfter(minImportance),
    since: since ?? '',
    types,
    type: after?.type ?? '',
    target: after?.target ?? '',
    limit,
  };
  const rows = await readCompleteRows(neo4j, { text: PAGE, given }, ({ properties }) => properties !== null);
  return rows.map(associationOf);
}

/** The casts are safe because `apply` wrote validated events. */
export function associationOf(row: Row): Association {
  return {
    source: row['source'] as MemoryId,
    target: row['target'] as MemoryId,
    type: row['type'] as AssociationType,
    strength: Number(row['strength']),
    properties: JSON.parse(String(row['properties'])) as Association['properties'],
    created_at: String(row['created_at']),
    updated_at: String(row['updated_at']),
  };
}
