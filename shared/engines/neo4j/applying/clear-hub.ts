/** Removes the associations of deleted hubs, one batch in each transaction. */
import type { MemoryId } from '../../../contract/memory.js';
import { HUB_BATCH } from '../../../ports/graph.js';
import type { Neo4j } from '../neo4j.js';
import { ANY_ASSOCIATION } from '../schema/any-association.js';
import { DELETED_HUB } from '../schema/labels.js';
import { lockSubjects } from './lock-subjects.js';

/** Few nodes have the label, nearly always none. */
export const FIND_HUB = `MATCH (m:${DELETED_HUB}) RETURN m.id AS id LIMIT 1`;

const FIND_NEIGHBOURS = `MATCH (m:Subject {id: $given.id}) USING INDEX SEEK m:Subject(id) WHERE m:${DELETED_HUB}
  MATCH (m)-[:${ANY_ASSOCIATION}]-(n:Subject)
  WITH n LIMIT toInteger($given.limit)
  RETURN DISTINCT n.id AS id`;

/**
 * Expects locked ends. The conditions hold again after the locks, because another process may have restored the memory.
 */
const REMOVE_BETWEEN = `MATCH (m:Subject {id: $given.id}) USING INDEX SEEK m:Subject(id) WHERE m:${DELETED_HUB}
  UNWIND $given.neighbours AS neighbour
  MATCH (n:Subject {id: neighbour}) USING INDEX SEEK n:Subject(id)
  MATCH (n)-[r:${ANY_ASSOCIATION}]-(m)
  DELETE r`;

const END_HUB = `MATCH (m:Subject {id: $given.id}) USING INDEX SEEK m:Subject(id)
  WHERE m:${DELETED_HUB} AND NOT EXISTS { (m)-[:${ANY_ASSOCIATION}]-() }
  REMOVE m:${DELETED_HUB}`;

export async function clearDeletedHub(neo4j: Pick<Neo4j, 'read' | 'write'>): Promise<boolean> {
  const [hub] = await neo4j.read({ text: FIND_HUB, given: {} });
  if (!hub) return false;
  const id = hub['id'] as MemoryId;
  if (!(await clearBatch(neo4j, id))) await neo4j.write([{ text: END_HUB, given: { id } }]);
  return true;
}

/** Removes all associations of the memory if it is a deleted hub, so that it can return without them. */
export async function clearDeleted(neo4j: Pick<Neo4j, 'read' | 'write'>, id: MemoryId): Promise<void> {
  while (await clearBatch(neo4j, id));
}

/** Returns false when the memory is not a deleted hub, or has no association any more. */
async function clearBatch(neo4j: Pick<Neo4j, 'read' | 'write'>, id: MemoryId): Promise<boolean> {
  const found = await neo4j.read({ text: FIND_NEIGHBOURS, given: { id, limit: HUB_BATCH } });
  if (found.length === 0) return false;
  const neighbours = found.map((row) => row['id'] as MemoryId);
  await neo4j.write([
    lockSubjects({ ids: [id, ...neighbours], deleted: [] }),
    { text: REMOVE_BETWEEN, given: { id, neighbours } },
  ]);
  return true;
}
