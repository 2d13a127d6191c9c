/** Reads the associations of each memory together with the memories at their other ends. */
import type { AssociationType } from '../../../contract/association.js';
import type { Memory, MemoryId } from '../../../contract/memory.js';
import type { Relation } from '../../../ports/graph.js';
import { summarize } from '../../../text/summarize.js';
import type { Neo4j, Row } from '../neo4j.js';
import { ANY_ASSOCIATION } from '../schema/any-association.js';
import { readCompleteRows } from './read-memories.js';

type Request = {
  readonly ids: readonly MemoryId[];
  readonly direction: 'outgoing' | 'both';
  readonly types?: readonly AssociationType[];
  readonly minStrength?: number;
  readonly excludedTypes?: readonly string[];
  readonly limit: number;
};

/** Characters of the content to read: more than a summary shows. The content was trimmed when it was stored. */
const CONTENT_LENGTH = 1_000;

export const RELATIONS: Readonly<Record<Request['direction'], string>> = {
  outgoing: relationsText('->'),
  both: relationsText('-'),
};

export async function readRelations(
  neo4j: Pick<Neo4j, 'read'>,
  request: Request,
): Promise<ReadonlyMap<MemoryId, readonly Relation[]>> {
  const { ids, direction, types, minStrength = 0, excludedTypes = [], limit } = request;
  const given = { ids: [...new Set(ids)], types: types ?? null, minStrength, excludedTypes, limit };
  const rows =
    ids.length === 0 ? [] : await readCompleteRows(neo4j, { text: RELATIONS[direction], given }, hasCompleteRelations);
  const found = new Map(rows.map((row) => [row['id'] as MemoryId, (row['relations'] as Row[]).map(relationOf)]));
  return new Map(ids.map((id) => [id, found.get(id) ?? []]));
}

/**
 * Sorts and limits before it reads properties. Otherwise the sort would carry the properties of all neighbours of a
 * hub.
 */
function relationsText(arrow: '->' | '-'): string {
  return `UNWIND $given.ids AS id
    MATCH (s:Subject {id: id}) USING INDEX SEEK s:Subject(id) WHERE s:Memory
    RETURN id, COLLECT {
      MATCH (s)-[r:${ANY_ASSOCIATION}]${arrow}(n:Memory) WHERE ($given.types IS NULL OR type(r) IN $given.types) AND r.strength >= $given.minStrength
        AND (size($given.excludedTypes) = 0 OR NOT n.type IN $given.excludedTypes)
      WITH r, n ORDER BY coalesce(r.derived, false), r.updated_at DESC, type(r), n.id, startNode(r) = s DESC LIMIT toInteger($given.limit)
      RETURN {
        type: type(r), isOutgoing: startNode(r) = s, strength: r.strength, created_at: r.created_at, updated_at: r.updated_at, properties: r.properties,
        memory: n {.id, .type, .timestamp, .summary, .importance, .confidence, .tags, content: left(n.content, ${CONTENT_LENGTH})}
      }
    } AS relations`;
}

function hasCompleteRelations(row: Row): boolean {
  return (row['relations'] as Row[]).every(({ properties, memory }) => {
    const { content, tags } = memory as Row;
    return properties !== null && content !== null && tags !== null;
  });
}

function relationOf(row: Row): Relation {
  const { summary, ...memory } = row['memory'] as Row;
  return {
    type: row['type'] as AssociationType,
    direction: row['isOutgoing'] === true ? 'outgoing' : 'incoming',
    strength: Number(row['strength']),
    created_at: String(row['created_at']),
    updated_at: String(row['updated_at']),
    properties: JSON.parse(String(row['properties'])) as Record<string, unknown>,
    memory: summarize({ ...memory, ...(summary === null ? {} : { summary }) } as Memory), // the properties that a summary needs, as `apply` wrote them
  };
}
