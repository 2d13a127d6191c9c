/**
 * Reads memories, their successions and the successors in one round trip. Keeps the memories, so that the server sends only those that have
 * changed since: a recall asks for some hundred, and their properties were half of its time in the driver.
 */
import { LRUCache } from 'lru-cache';
import type { MemoryId } from '../../../contract/memory.js';
import { type Lineages, type LoadedMemory, SUCCESSOR_LIMIT } from '../../graph.js';
import { batchReads } from '../connection/batch-reads.js';
import type { Neo4j, Row } from '../neo4j.js';
import { isMemorySealed, loadedMemory, MEMORY_FIELDS } from '../schema/memory-node.js';
import { reachedText, readSuccessions } from './read-successions.js';

/** Characters of content and metadata that are kept: about 20,000 memories with enrichment, which take 60 MB as objects. */
const KEPT_CHARACTERS = 16_000_000;
/** Added to each memory for its other fields. */
const OVERHEAD_CHARACTERS = 500;

/** The properties of a memory that is kept in this version are not read. A touch changes no version. */
export const CHANGED_MEMORIES = `UNWIND $given.wanted AS wanted
  MATCH (m:Subject {id: wanted.id}) USING INDEX SEEK m:Subject(id) WHERE m:Memory
  RETURN m.id AS id, CASE WHEN m.version = wanted.version AND m.last_accessed = wanted.last_accessed THEN null ELSE ${MEMORY_FIELDS} END AS memory`;

export type ReadLineages = (ids: readonly MemoryId[], hops: number) => Promise<Lineages>;

export function createLineageReader(
  { neo4j }: { readonly neo4j: Pick<Neo4j, 'readAll'> },
  keptCharacters = KEPT_CHARACTERS,
): ReadLineages {
  const kept = new LRUCache<MemoryId, LoadedMemory>({ maxSize: keptCharacters });

  function keep(loaded: LoadedMemory, fields: Row): void {
    // The properties of a torn read belong to two versions.
    if (!isMemorySealed(fields)) return;
    const { id, content } = loaded.memory;
    if ((kept.peek(id)?.version ?? 0) > loaded.version) return;
    kept.set(id, loaded, { size: content.length + String(fields['metadata']).length + OVERHEAD_CHARACTERS });
  }

  async function readMemories(
    read: Pick<Neo4j, 'read'>['read'],
    ids: readonly MemoryId[],
  ): Promise<readonly LoadedMemory[]> {
    if (ids.length === 0) return [];
    const known = new Map([...new Set(ids)].map((id) => [id, kept.get(id)]));
    const wanted = [...known].map(([id, loaded]) => ({
      id,
      version: loaded?.version ?? null,
      last_accessed: loaded?.memory.last_accessed ?? null,
    }));
    const found = new Map<MemoryId, LoadedMemory>();
    for (const { id, memory } of await read({ text: CHANGED_MEMORIES, given: { wanted } })) {
      const unchanged = known.get(id as MemoryId); // as given
      if (memory === null && unchanged) found.set(unchanged.memory.id, unchanged);
      if (memory === null) continue;
      const loaded = loadedMemory(memory as Row);
      keep(loaded, memory as Row);
      found.set(loaded.memory.id, loaded);
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  return async (ids, hops) => {
    const batched = batchReads(neo4j);
    const [memories, successions, successors] = await Promise.all([
      readMemories(batched.read, ids),
      readSuccessions(batched, ids, hops),
      readSuccessors(batched, ids, hops),
    ]);
    return { memories, successions, successors };
  };
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
