/** Reads memories, their successions and the successors in one round trip. */
import type { MemoryId } from '../../../contract/memory.js';
import { type Lineages, SUCCESSOR_LIMIT } from '../../graph.js';
import { batchReads } from '../connection/batch-reads.js';
import type { Neo4j, Row } from '../neo4j.js';
import { loadedMemory, MEMORY_FIELDS } from '../schema/memory-node.js';
import { readMemories } from './read-memories.js';
import { reachedText, readSuccessions } from './read-successions.js';

export async function readLineages(
  neo4j: Pick<Neo4j, 'readAll'>,
  ids: readonly MemoryId[],
  hops: number,
): Promise<Lineages> {
  const batched = batchReads(neo4j);
  const [memories, successions, successors] = await Promise.all([
    readMemories(batched, ids),
    readSuccessions(batched, ids, hops),
    readSuccessors(batched, ids, hops),
  ]);
  return { memories, successions, successors };
}

async function readSuccessors(
  neo4j: Pick<Neo4j, 'read'>,
  ids: readonly MemoryId[],
  hops: number,
): Promise<Lineages['successors']> {
  if (ids.length === 0 || hops < 1) return [];
  const rows = await neo4j.read({
    text: successorsText(hops),
    given: { ids: [...new Set(ids)], limit: SUCCESSOR_LIMIT },
  });
  return rows.map((row) => loadedMemory(row['memory'] as Row));
}

export function successorsText(hops: number): string {
  return `${reachedText(hops)}
    WITH DISTINCT t AS m WHERE NOT m.id IN $given.ids
    WITH m LIMIT toInteger($given.limit)
    RETURN ${MEMORY_FIELDS} AS memory`;
}
