/** Follows superseding associations from old memories to new ones in one statement. */
import type { SupersedingType } from '../../../contract/association.js';
import type { MemoryId } from '../../../contract/memory.js';
import { type Succession, SUCCESSORS_READ } from '../../../ports/graph.js';
import type { Neo4j, Row } from '../neo4j.js';
import { ANY_SUPERSEDING } from '../schema/any-association.js';

/** The text contains the length of the pattern. Callers always use the same number of hops, so there are few texts. */
const MAX_HOPS = 50;

const FIELDS = `source: s.id, target: t.id, type: type(r), strength: r.strength, updated_at: r.updated_at,
      archived: t.archived, t_valid: t.t_valid, t_invalid: t.t_invalid`;

export async function readSuccessions(
  neo4j: Pick<Neo4j, 'read'>,
  ids: readonly MemoryId[],
  hops: number,
): Promise<readonly Succession[]> {
  if (ids.length === 0 || hops < 1) return [];
  const rows = await neo4j.read({ text: successionsText(hops), given: { ids: [...new Set(ids)] } });
  return rows.map((row) => successionOf(row['succession'] as Row));
}

export function successionsText(hops: number): string {
  return `UNWIND $given.ids AS id
    MATCH (start:Subject {id: id}) USING INDEX SEEK start:Subject(id) WHERE start:Memory
    ${successionsFrom('start', hops)}`;
}

/** The successions that can be reached from one node, as maps for `successionOf` in the column `succession`. */
export function successionsFrom(start: string, hops: number): string {
  return `${reachedFrom(start, hops)} RETURN {${FIELDS}} AS succession`;
}

/**
 * Matches each memory `s` that is reached before the last hop, once for all paths (the planner prunes, so cycles and
 * lattices end), then the newest memories `t` that supersede it by association `r`.
 */
function reachedFrom(start: string, hops: number): string {
  const before = Math.min(hops, MAX_HOPS) - 1;
  const reached =
    before === 0
      ? `WITH DISTINCT ${start} AS s`
      : `MATCH (${start}) (()-[:${ANY_SUPERSEDING}]->(:Memory)){0,${before}} (s) WITH DISTINCT s`;
  return `${reached} CALL (s) { MATCH (s)-[r:${ANY_SUPERSEDING}]->(t:Memory) RETURN r, t ORDER BY r.updated_at DESC LIMIT ${SUCCESSORS_READ} }`;
}

export function successionOf(row: Row): Succession {
  const { t_valid: valid, t_invalid: invalid } = row;
  return {
    source: row['source'] as MemoryId,
    target: row['target'] as MemoryId,
    type: row['type'] as SupersedingType,
    strength: Number(row['strength']),
    updated_at: String(row['updated_at']),
    targetState: {
      ...(row['archived'] === true ? { archived: true } : {}),
      ...(typeof valid === 'string' ? { t_valid: valid } : {}),
      ...(typeof invalid === 'string' ? { t_invalid: invalid } : {}),
    },
  };
}
