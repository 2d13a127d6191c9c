/** The first statement of every write: takes all locks of its transaction in one order, so that transactions never wait for each other in a circle. */
import type { Statement } from './neo4j.js';
import { ANY_ASSOCIATION } from './any-association.js';

/**
 * Makes the subjects that are not there yet: a place for what is to come. Reads before a lock may be outdated (Neo4j is read committed;
 * without it 36 of 40 races ended with an older version), and REMOVE would lock only where the property is. What is to be deleted takes its
 * associations along, and so the locks of its neighbours.
 */
export function lockSubjects({
  ids,
  deleted,
}: {
  readonly ids: readonly string[];
  readonly deleted: readonly string[];
}): Statement {
  const sorted = [...new Set(ids)].sort();
  return deleted.length === 0
    ? { text: LOCK, given: { ids: sorted } }
    : { text: LOCK_WITH_NEIGHBOURS, given: { ids: sorted, deleted } };
}

export const LOCK = 'UNWIND $given.ids AS id MERGE (m:Subject {id: id}) SET m.locked = true';

export const LOCK_WITH_NEIGHBOURS = `CALL () {
    UNWIND $given.ids AS id RETURN id
    UNION
    UNWIND $given.deleted AS one MATCH (m:Subject {id: one})-[:${ANY_ASSOCIATION}]-(n:Subject) USING INDEX SEEK m:Subject(id) RETURN n.id AS id
  }
  WITH id ORDER BY id
  MERGE (m:Subject {id: id}) SET m.locked = true`;
