/** Follows superseding associations from old memories to new ones in one statement. */
import type { SupersedingType } from '../../../contract/association.js';
import type { MemoryId } from '../../../contract/memory.js';
import type { Succession } from '../../graph.js';
import type { Neo4j, Row } from '../neo4j.js';
import { ANY_SUPERSEDING } from '../schema/any-association.js';

/** The text contains the length of the pattern. Callers always use the same number of hops, so there are few texts. */
const MAX_HOPS = 50;

export async function readSuccessions(
  neo4j: Pick<Neo4j, 'read'>,
  ids: readonly MemoryId[],
  hops: number,
): Promise<readonly Succession[]> {
  if (ids.length === 0 || hops < 1) return [];
  const rows = await neo4j.read({ text: successionsText(hops), given: { ids: [...new Set(ids)] } });
  return rows.map(successionOf);
}

export function successionsText(hops: number): string {
  return `${reachedText(hops)}
    RETURN s.id AS source, t.id AS target, type(r) AS type, r.strength AS strength, r.updated_at AS updated_at,
      t.archived AS archived, t.t_valid AS t_valid, t.t_invalid AS t_invalid`;
}

/**
 * Matches each memory `s` that is reached before the last hop, once for all paths (the planner prunes, so cycles and lattices end), then each
 * memory `t` that supersedes it by association `r`.
 */
export function reachedText(hops: number): string {
  const before = Math.min(hops, MAX_HOPS) - 1;
  const reached =
    before === 0
      ? 'WITH DISTINCT start AS s'
      : `MATCH (start) (()-[:${ANY_SUPERSEDING}]->(:Memory)){0,${before}} (s) WITH DISTINCT s`;
  return `UNWIND $given.ids AS id
    MATCH (start:Subject {id: id}) USING INDEX SEEK start:Subject(id) WHERE start:Memory
    ${reached}
    MATCH (s)-[r:${ANY_SUPERSEDING}]->(t:Memory)`;
}

function successionOf(row: Row): Succession {
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
