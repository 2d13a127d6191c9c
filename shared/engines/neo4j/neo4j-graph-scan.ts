/** Walks over the graph in Neo4j. */
import { type AssociationKey, associationSubject, type AssociationType } from '../../contract/association.js';
import type { MemoryId } from '../../contract/memory.js';
import type { LoadedMemory } from '../../ports/graph.js';
import type { GraphScan } from '../../ports/graph-scan.js';
import type { Neo4j, Row } from './neo4j.js';
import { readAssociations, readMemoryStates } from './reading/read-memories.js';
import { ANY_ASSOCIATION } from './schema/any-association.js';

const IDS = `MATCH (m:Subject) USING INDEX SEEK m:Subject(id) WHERE m.id > $given.after AND m:Memory
  RETURN m.id AS id ORDER BY m.id LIMIT toInteger($given.limit)`;
/** The timestamp is projected before ORDER BY: otherwise Neo4j sorts all memories although the index has the order. */
const NEWEST = `MATCH (m:Memory) USING INDEX m:Memory(timestamp)
  WHERE m.timestamp <= $given.timestamp AND (m.timestamp < $given.timestamp OR m.id > $given.id)
  WITH m, m.timestamp AS at ORDER BY at DESC, m.id LIMIT toInteger($given.limit)
  RETURN m.id AS id`;
/** After every timestamp. */
const END_OF_TIME = '~';
/** The inner limit bounds the sort of a memory with many associations. */
const KEYS = `MATCH (s:Subject) USING INDEX SEEK s:Subject(id) WHERE s.id >= $given.source AND s:Memory
  CALL (s) {
    MATCH (s)-[r:${ANY_ASSOCIATION}]->(t:Memory)
    WHERE r.derived IS NULL
      AND (s.id > $given.source OR type(r) > $given.type OR (type(r) = $given.type AND t.id > $given.target))
    RETURN type(r) AS type, t.id AS target ORDER BY type, target LIMIT toInteger($given.limit)
  }
  RETURN s.id AS source, type, target ORDER BY s.id, type, target LIMIT toInteger($given.limit)`;

/**
 * The server keeps the number of relationships of each type of a node with many, so a hub costs no more. The types are
 * names of ours.
 */
function degreesText(types: readonly AssociationType[]): string {
  const counted = types.map((type) => `COUNT { (m)-[:${type}]->() } + COUNT { (m)<-[:${type}]-() }`).join(' + ');
  return `UNWIND $given.ids AS id MATCH (m:Subject {id: id}) USING INDEX SEEK m:Subject(id)
    WITH id, ${counted} AS degree WHERE degree > 0 RETURN id, degree`;
}

/** Keys come from an index, and the states from reads by key, which notice torn ones. */
export function createNeo4jGraphScan({ neo4j }: { readonly neo4j: Pick<Neo4j, 'read'> }): GraphScan {
  async function memoriesOf(text: string, given: Row): Promise<readonly LoadedMemory[]> {
    const rows = await neo4j.read({ text, given });
    return readMemoryStates(
      neo4j,
      rows.map(({ id }) => id as MemoryId),
    );
  }
  return {
    memories: (given) => memoriesOf(IDS, given),
    newest: ({ before, limit }) =>
      memoriesOf(NEWEST, { timestamp: before?.timestamp ?? END_OF_TIME, id: before?.id ?? '', limit }),
    associations: async ({ after, limit }) => {
      const given = { source: after?.source ?? '', type: after?.type ?? '', target: after?.target ?? '', limit };
      const keys = (await neo4j.read({ text: KEYS, given })) as unknown as readonly AssociationKey[]; // as RETURN names them
      const found = await readAssociations(neo4j, keys);
      const bySubject = new Map(found.map((one) => [associationSubject(one.association), one]));
      return keys.flatMap((key) => bySubject.get(associationSubject(key)) ?? []);
    },
    degrees: async ({ ids, types }) => {
      const rows = await neo4j.read({ text: degreesText(types), given: { ids } });
      return new Map(rows.map(({ id, degree }) => [id as MemoryId, Number(degree)]));
    },
  };
}
