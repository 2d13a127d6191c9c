/** The mark of the graph in Neo4j: properties of the node that also holds the version of the schema. */
import type { GraphMark } from '../graph-mark.js';
import type { Neo4j, Statement } from './neo4j.js';

const SCHEMA_NODE = `MATCH (v:GraphSchema {name: 'graph'})`;
const READ = `${SCHEMA_NODE} WHERE v.journal_id IS NOT NULL
  RETURN v.journal_id AS journalId, v.journal_position AS position, v.journal_event_id AS eventId`;
const BEGIN = `${SCHEMA_NODE} SET v.locked = true
  WITH v WHERE v.journal_id IS NULL
  SET v.journal_id = $given.journalId, v.journal_position = toInteger($given.position), v.journal_event_id = $given.eventId`;
const ADVANCE = `${SCHEMA_NODE} SET v.locked = true
  WITH v WHERE v.journal_position < $given.position
  SET v.journal_position = toInteger($given.position), v.journal_event_id = $given.eventId`;
const HAS_SUBJECTS = 'MATCH (s:Subject) RETURN true AS found LIMIT 1';

export function createNeo4jGraphMark({ neo4j }: { readonly neo4j: Pick<Neo4j, 'read' | 'write'> }): GraphMark {
  return {
    read: async () => {
      const [row] = await neo4j.read({ text: READ, given: {} });
      if (row === undefined) return null;
      const eventId = row['eventId'];
      return {
        journalId: String(row['journalId']),
        position: Number(row['position']),
        eventId: typeof eventId === 'string' ? eventId : null,
      };
    },
    begin: (mark) => neo4j.write([{ text: BEGIN, given: mark }]),
    hasSubjects: async () => (await neo4j.read({ text: HAS_SUBJECTS, given: {} })).length > 0,
  };
}

/** The last statement of a transaction: all transactions lock this one node, so they hold it only during their commit. No effect without a mark. */
export function advanceMark({ position, id }: { readonly position: number; readonly id: string }): Statement {
  return { text: ADVANCE, given: { position, eventId: id } };
}
