/** Deletes everything that was made from the journal, and the mark of it. The schema stays. */
import type { Neo4j } from './neo4j.js';
import { APPLIED } from './neo4j-graph-mark.js';

/** A transaction of this size takes a few MB of the server's memory. */
const BATCH = 5_000;

/** Associations first: a node is deleted with all of its associations, and a hub has many. */
const STEPS = [
  'MATCH (:Subject)-[r]->() WITH r LIMIT toInteger($given.most) DELETE r RETURN count(*) AS deleted',
  'MATCH (n:Subject|EntityRecord) WITH n LIMIT toInteger($given.most) DETACH DELETE n RETURN count(*) AS deleted',
];
const WIPE_MARK = `MATCH (v:GraphSchema) REMOVE v.journal_id, v.mark_id
  WITH v WHERE v.name STARTS WITH '${APPLIED}' DELETE v`;

export async function wipeGraph(neo4j: Pick<Neo4j, 'write'>): Promise<void> {
  for (const text of STEPS) {
    for (let deleted = BATCH; deleted === BATCH;) {
      const check: Parameters<Neo4j['write']>[0][number]['check'] = ([row]) => {
        deleted = Number(row?.['deleted'] ?? 0);
      };
      await neo4j.write([{ text, given: { most: BATCH }, check }]);
    }
  }
  await neo4j.write([{ text: WIPE_MARK, given: {} }]);
}
