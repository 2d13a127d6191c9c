/** Walks over the graph in Neo4j. */
import { type AssociationKey, associationSubject } from '../../contract/association.js';
import type { MemoryId } from '../../contract/memory.js';
import type { GraphScan } from '../graph-scan.js';
import type { Neo4j } from './neo4j.js';
import { readAssociations, readMemoryStates } from './reading/read-memories.js';
import { ANY_ASSOCIATION } from './schema/any-association.js';

const IDS = `MATCH (m:Subject) USING INDEX SEEK m:Subject(id) WHERE m.id > $given.after AND m:Memory
  RETURN m.id AS id ORDER BY m.id LIMIT toInteger($given.limit)`;
/** The inner limit bounds the sort of a memory with many associations. */
const KEYS = `MATCH (s:Subject) USING INDEX SEEK s:Subject(id) WHERE s.id >= $given.source AND s:Memory
  CALL (s) {
    MATCH (s)-[r:${ANY_ASSOCIATION}]->(t:Memory)
    WHERE r.derived IS NULL
      AND (s.id > $given.source OR type(r) > $given.type OR (type(r) = $given.type AND t.id > $given.target))
    RETURN type(r) AS type, t.id AS target ORDER BY type, target LIMIT toInteger($given.limit)
  }
  RETURN s.id AS source, type, target ORDER BY s.id, type, target LIMIT toInteger($given.limit)`;

/** Keys come from an index, and the states from reads by key, which notice torn ones. */
export function createNeo4jGraphScan({ neo4j }: { readonly neo4j: Pick<Neo4j, 'read'> }): GraphScan {
  return {
    memories: async ({ after, limit }) => {
      const rows = await neo4j.read({ text: IDS, given: { after, limit } });
      return readMemoryStates(
        neo4j,
        rows.map(({ id }) => id as MemoryId),
      );
    },
    associations: async ({ after, limit }) => {
      const given = { source: after?.source ?? '', type: after?.type ?? '', target: after?.target ?? '', limit };
      const keys = (await neo4j.read({ text: KEYS, given })) as unknown as readonly AssociationKey[]; // as RETURN names them
      const found = await readAssociations(neo4j, keys);
      const bySubject = new Map(found.map((one) => [associationSubject(one.association), one]));
      return keys.flatMap((key) => bySubject.get(associationSubject(key)) ?? []);
    },
  };
}
