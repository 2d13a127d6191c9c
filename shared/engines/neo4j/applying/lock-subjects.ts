/**
 * The first statement of every write: takes all locks of the transaction in the order of ids, so that transactions
 * never deadlock.
 */
import { HUB_SIZE } from '../../../ports/graph.js';
import type { Statement } from '../neo4j.js';
import { ANY_ASSOCIATION } from '../schema/any-association.js';

/**
 * Creates missing subjects as placeholders. A read before a lock may be outdated, because Neo4j reads committed data
 * (without the lock, 36 of 40 races ended with an older version). SET takes the lock; REMOVE would lock only a node
 * that has the property. A deletion also locks the neighbours of the memory, because it deletes its associations; those
 * of a hub stay.
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
    : { text: LOCK_WITH_NEIGHBOURS, given: { ids: sorted, deleted, hubSize: HUB_SIZE } };
}

export const LOCK = 'UNWIND $given.ids AS id MERGE (m:Subject {id: id}) SET m.locked = true';

export const LOCK_WITH_NEIGHBOURS = `CALL () {
    UNWIND $given.ids AS id RETURN id
    UNION
    UNWIND $given.deleted AS one MATCH (m:Subject {id: one}) USING INDEX SEEK m:Subject(id) WHERE COUNT { (m)--() } <= $given.hubSize
    MATCH (m)-[:${ANY_ASSOCIATION}]-(n:Subject) RETURN n.id AS id
  }
  WITH id ORDER BY id
  MERGE (m:Subject {id: id}) SET m.locked = true`;
