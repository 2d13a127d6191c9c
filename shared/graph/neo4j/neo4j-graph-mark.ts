/**
 * The mark of the graph in Neo4j. The identity of the journal is a property of the node that also holds the version of the schema. The applied
 * position is the highest of MARK_SLOTS nodes. Each process moves one of them, because a process that stops between its last statement and its
 * commit keeps the lock of its node, and must not stop the commits of all others.
 */
import { randomInt } from 'node:crypto';
import type { GraphMark } from '../graph-mark.js';
import type { Neo4j, Statement } from './neo4j.js';

/** Two of four processes have the same node in one of eleven deployments. Then each of the two waits for the commits of the other. */
const MARK_SLOTS = 64;
const SLOTS = Array.from({ length: MARK_SLOTS }, (_, slot) => slot);

const SCHEMA_NODE = `MATCH (v:GraphSchema {name: 'graph'})`;
/** The names of the nodes begin with it. They have the label of the schema node, and so the index of its names. */
const APPLIED = 'applied-';
const READ = `${SCHEMA_NODE} WHERE v.journal_id IS NOT NULL
  MATCH (applied:GraphSchema) WHERE applied.name STARTS WITH '${APPLIED}'
  RETURN v.journal_id AS journalId, applied.position AS position, applied.event_id AS eventId ORDER BY position DESC LIMIT 1`;
const BEGIN = `${SCHEMA_NODE} SET v.locked = true
  WITH v WHERE v.journal_id IS NULL
  SET v.journal_id = $given.journalId
  WITH v UNWIND $given.names AS name
  MERGE (applied:GraphSchema {name: name})
  SET applied.position = toInteger($given.position), applied.event_id = $given.eventId`;
const ADVANCE = `MATCH (applied:GraphSchema {name: $given.name}) SET applied.locked = true
  WITH applied WHERE applied.position < $given.position
  SET applied.position = toInteger($given.position), applied.event_id = $given.eventId`;
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
    begin: (mark) => neo4j.write([{ text: BEGIN, given: { ...mark, names: SLOTS.map((slot) => APPLIED + slot) } }]),
    hasSubjects: async () => (await neo4j.read({ text: HAS_SUBJECTS, given: {} })).length > 0,
  };
}

/** Returns the statement for the last event of a transaction. It has no effect on a graph without a mark. */
export type AdvanceMark = (last: { readonly position: number; readonly id: string }) => Statement;

/** For one process. The statement is the last one of its transaction, so that the lock lasts only until the commit. */
export function createAdvanceMark(): AdvanceMark {
  const name = APPLIED + randomInt(MARK_SLOTS);
  return ({ position, id }) => ({ text: ADVANCE, given: { name, position, eventId: id } });
}
