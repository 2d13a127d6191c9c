/** Reads the associations of each memory, with the memories at their other ends or without. */
import type { AssociationKey, AssociationType } from '../../../contract/association.js';
import { RELATIONS_READ } from '../../../contract/limits.js';
import type { Memory, MemoryId } from '../../../contract/memory.js';
import type { GraphReader, Relation, RelationsRequest, Step } from '../../../ports/graph.js';
import { summarize } from '../../../text/summarize.js';
import type { Neo4j, Row } from '../neo4j.js';
import { ANY_ASSOCIATION } from '../schema/any-association.js';
import { withinFacet } from '../schema/facets.js';
import { readCompleteRows } from './read-memories.js';

/** Characters of the content to read: more than a summary shows. The content was trimmed when it was stored. */
const CONTENT_LENGTH = 1_000;

/**
 * Relationships of a hub in one direction that are compared. Neo4j has no order of the relationships of one node, and
 * gives those that were created last first. An index would need the ids of both ends in each relationship.
 */
const HUB_WALK = 2_000;

const DEGREE = `COUNT { (s)-[:${ANY_ASSOCIATION}]-() }`;
const OF_TYPE = '($given.types IS NULL OR type(r) IN $given.types)';
const ADMITTED =
  'r.strength >= $given.minStrength AND (size($given.excludedTypes) = 0 OR NOT n.type IN $given.excludedTypes) AND ($given.within IS NULL OR n.facets CONTAINS $given.within)';

const WITH_MEMORY = `created_at: r.created_at, updated_at: r.updated_at, properties: r.properties,
        memory: n {.id, .type, .timestamp, .summary, .importance, .confidence, .tags, content: left(n.content, ${CONTENT_LENGTH})}`;
const ALONE = 'memory: n {.id, .importance, .timestamp}';

export const RELATIONS: Readonly<Record<RelationsRequest['direction'], string>> = {
  outgoing: relationsText({ arrow: '->', ofHub: ['->'], fields: WITH_MEMORY }),
  both: relationsText({ arrow: '-', ofHub: ['->', '<-'], fields: WITH_MEMORY }),
};
const STEPS = relationsText({ arrow: '-', ofHub: ['->', '<-'], fields: ALONE });

export async function readRelations(
  neo4j: Pick<Neo4j, 'read'>,
  request: RelationsRequest,
): Promise<ReadonlyMap<MemoryId, readonly Relation[]>> {
  const found = await readEach(neo4j, { text: RELATIONS[request.direction], request, isComplete: hasWholeMemory });
  return new Map(request.ids.map((id) => [id, (found.get(id) ?? []).map(relationOf)]));
}

export async function readSteps(
  neo4j: Pick<Neo4j, 'read'>,
  request: Omit<RelationsRequest, 'direction'>,
): Promise<ReadonlyMap<MemoryId, readonly Step[]>> {
  const found = await readEach(neo4j, { text: STEPS, request, isComplete: hasOrder });
  return new Map(request.ids.map((id) => [id, (found.get(id) ?? []).map(stepOf)]));
}

async function readEach(
  neo4j: Pick<Neo4j, 'read'>,
  {
    text,
    request: { ids, types, minStrength = 0, excludedTypes = [], within = null, limit },
    isComplete,
  }: {
    readonly text: string;
    readonly request: Omit<RelationsRequest, 'direction'>;
    readonly isComplete: (relation: Row) => boolean;
  },
): Promise<ReadonlyMap<MemoryId, readonly Row[]>> {
  if (ids.length === 0) return new Map();
  const given = {
    ids: [...new Set(ids)],
    types: types ?? null,
    minStrength,
    excludedTypes,
    within: within === null ? null : withinFacet(within),
    limit,
    read: RELATIONS_READ,
    most: Math.max(limit, RELATIONS_READ),
    walk: HUB_WALK,
  };
  const rows = await readCompleteRows(neo4j, { text, given }, (row) => relationsIn(row).every(isComplete));
  return new Map(rows.map((row) => [row['id'] as MemoryId, relationsIn(row)]));
}

/** The text contains the types. Callers always use the same types, so there are few texts. */
export function amongText(types: readonly AssociationType[]): string {
  return `UNWIND $given.ids AS id
    MATCH (s:Subject {id: id}) USING INDEX SEEK s:Subject(id) WHERE s:Memory
    CALL (s) { MATCH (s)-[r:${types.join('|')}]->(n:Memory) RETURN type(r) AS type, n.id AS target LIMIT ${HUB_WALK} }
    WITH id, type, target WHERE target IN $given.ids
    RETURN id AS source, type, target`;
}

export async function readAmong(
  neo4j: Pick<Neo4j, 'read'>,
  { ids, types }: Parameters<GraphReader['among']>[0],
): Promise<readonly AssociationKey[]> {
  if (ids.length < 2 || types.length === 0) return [];
  const rows = await neo4j.read({ text: amongText(types), given: { ids: [...new Set(ids)] } });
  return rows as readonly AssociationKey[]; // the columns of the statement
}

function relationsIn(row: Row): readonly Row[] {
  return row['relations'] as Row[];
}

type Arrow = '->' | '<-' | '-';

/**
 * Sorts and limits before it reads properties. Otherwise the sort would carry the properties of all neighbours of a
 * hub. A node knows the number of its relationships of each type.
 */
function relationsText({
  arrow,
  ofHub,
  fields,
}: {
  readonly arrow: Arrow;
  readonly ofHub: readonly Arrow[];
  readonly fields: string;
}): string {
  return `UNWIND $given.ids AS id
    MATCH (s:Subject {id: id}) USING INDEX SEEK s:Subject(id) WHERE s:Memory AND ($given.within IS NULL OR s.facets CONTAINS $given.within)
    RETURN id, COLLECT {
      CALL (s) {
        WITH s WHERE ${DEGREE} <= $given.read
        MATCH ${pattern(arrow)} WHERE ${OF_TYPE} AND ${ADMITTED}
        RETURN r, n
        UNION ALL
        WITH s WHERE ${DEGREE} > $given.read
        CALL (s) {
          ${ofHub.map((each) => `MATCH ${pattern(each)} WHERE ${OF_TYPE} RETURN r, n LIMIT toInteger($given.walk)`).join(' UNION ALL ')}
        }
        WITH r, n WHERE ${ADMITTED}
        WITH r, n ORDER BY coalesce(r.derived, false), r.strength DESC, r.updated_at DESC LIMIT toInteger($given.most)
        RETURN r, n
      }
      WITH r, n ORDER BY coalesce(r.derived, false), r.updated_at DESC, type(r), n.id, startNode(r) = s DESC LIMIT toInteger($given.limit)
      RETURN {
        type: type(r), isOutgoing: startNode(r) = s, strength: r.strength, ${fields}
      }
    } AS relations`;
}

function pattern(arrow: Arrow): string {
  const [left, right] = arrow === '<-' ? ['<-', '-'] : ['-', arrow];
  return `(s)${left}[r:${ANY_ASSOCIATION}]${right}(n:Memory)`;
}

function hasWholeMemory({ properties, memory }: Row): boolean {
  const { content, tags } = memory as Row;
  return properties !== null && content !== null && tags !== null;
}

function hasOrder({ strength, memory }: Row): boolean {
  return strength !== null && (memory as Row)['timestamp'] !== null;
}

function stepOf(row: Row): Step {
  return {
    type: row['type'] as AssociationType,
    direction: row['isOutgoing'] === true ? 'outgoing' : 'incoming',
    strength: Number(row['strength']),
    memory: row['memory'] as Step['memory'], // the properties that the statement names
  };
}

function relationOf(row: Row): Relation {
  const { summary, ...memory } = row['memory'] as Row;
  return {
    ...stepOf(row),
    created_at: String(row['created_at']),
    updated_at: String(row['updated_at']),
    properties: JSON.parse(String(row['properties'])) as Record<string, unknown>,
    memory: summarize({ ...memory, ...(summary === null ? {} : { summary }) } as Memory), // the properties that a summary needs, as `apply` wrote them
  };
}
