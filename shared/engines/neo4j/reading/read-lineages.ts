/**
 * Reads memories, their successions and the successors: one statement, and a second one for successors that were not
 * asked for. Caches the memories, so that the server sends only those that have changed since: a recall asks for some
 * hundred, and their properties were half of its time in the driver.
 */
import { LRUCache } from 'lru-cache';
import type { MemoryId } from '../../../contract/memory.js';
import { type Lineages, type LoadedMemory, type Succession, SUCCESSOR_LIMIT } from '../../../ports/graph.js';
import type { Neo4j, Row } from '../neo4j.js';
import { ANY_SUPERSEDING } from '../schema/any-association.js';
import { isMemoryComplete, loadedMemory, matchesMemoryChecksum, MEMORY_FIELDS } from '../schema/memory-node.js';
import { readCompleteRows } from './read-memories.js';
import { successionOf, successionsFrom } from './read-successions.js';

/**
 * Characters of content and metadata that are cached: about 20,000 memories with enrichment, or 60 MB as objects.
 */
const CACHED_CHARACTERS = 16_000_000;
/** Added to each memory for its other fields. */
const OVERHEAD_CHARACTERS = 500;

/**
 * `wanted`: an id with the cached version, checksum and position. The properties of a memory with these
 * are not read, except its last access, which changes none of them. In a graph of another history a version may have
 * other properties, and a rebuild can give a version a position.
 *
 * All memories come in one row: a row for each costs as much as reading the memory. Few memories are superseded, and a
 * node knows the number of its relationships of each type, so that only these search for their successions.
 */
export function lineagesText(hops: number): string {
  return `UNWIND $given.wanted AS wanted
    MATCH (m:Subject {id: wanted[0]}) USING INDEX SEEK m:Subject(id) WHERE m:Memory
    WITH wanted, m, m {.version, .seal, .position, .last_accessed} AS now
    WITH collect([wanted[0], now.last_accessed,
        CASE WHEN now.version = wanted[1] AND now.seal = wanted[2] AND coalesce(now.position, 0) = wanted[3] THEN null ELSE ${MEMORY_FIELDS} END]) AS memories,
      collect(CASE WHEN COUNT { (m)-[:${ANY_SUPERSEDING}]->() } > 0 THEN m END) AS superseded
    RETURN memories, ${hops < 1 ? '[]' : `COLLECT { UNWIND superseded AS start ${successionsFrom('start', hops)} }`} AS successions`;
}

/** `size`: in characters. */
type Cached = { readonly loaded: LoadedMemory; readonly checksum: unknown; readonly size: number };

export type ReadLineages = (ids: readonly MemoryId[], hops: number) => Promise<Lineages>;

export function createLineageReader(
  { neo4j }: { readonly neo4j: Pick<Neo4j, 'read'> },
  cachedCharacters = CACHED_CHARACTERS,
): ReadLineages {
  const cache = new LRUCache<MemoryId, Cached>({ maxSize: cachedCharacters });

  function cacheLoaded(loaded: LoadedMemory, fields: Row): LoadedMemory {
    const { id, content } = loaded.memory;
    // The properties of a torn read belong to two versions.
    if (matchesMemoryChecksum(fields) && (cache.peek(id)?.loaded.version ?? 0) <= loaded.version)
      put({
        loaded,
        checksum: fields['seal'],
        size: content.length + String(fields['metadata']).length + OVERHEAD_CHARACTERS,
      });
    return loaded;
  }

  /** A new object after a recorded access, because the old one may still be in use. */
  function accessedAt(known: Cached, lastAccessed: string): LoadedMemory {
    const { loaded } = known;
    if (loaded.memory.last_accessed === lastAccessed) return loaded;
    const accessed = { ...loaded, memory: { ...loaded.memory, last_accessed: lastAccessed } };
    if (cache.peek(loaded.memory.id) === known) put({ ...known, loaded: accessed });
    return accessed;
  }

  function put(known: Cached): void {
    cache.set(known.loaded.memory.id, known, { size: known.size });
  }

  async function read(ids: readonly MemoryId[], hops: number): Promise<Pick<Lineages, 'memories' | 'successions'>> {
    if (ids.length === 0) return { memories: [], successions: [] };
    const known = new Map([...new Set(ids)].map((id) => [id, cache.get(id)]));
    const wanted = [...known].map(([id, one]) => [
      id,
      one?.loaded.version ?? null,
      one?.checksum ?? null,
      one?.loaded.position ?? 0,
    ]);
    const found = new Map<MemoryId, LoadedMemory>();
    const successions = new Map<string, Succession>();
    const statement = { text: lineagesText(hops), given: { wanted } };
    for (const row of await readCompleteRows(neo4j, statement, (one) => memoriesOf(one).every(isComplete))) {
      for (const [id, lastAccessed, memory] of memoriesOf(row)) {
        const unchanged = known.get(id);
        if (memory !== null) found.set(id, cacheLoaded(loadedMemory(memory), memory));
        else if (unchanged) found.set(id, accessedAt(unchanged, String(lastAccessed)));
      }
      for (const each of (row['successions'] as Row[]).map(successionOf))
        successions.set(`${each.source} ${each.type} ${each.target}`, each);
    }
    return { memories: ids.flatMap((id) => found.get(id) ?? []), successions: [...successions.values()] };
  }

  return async (ids, hops) => {
    const { memories, successions } = await read(ids, hops);
    const others = new Set(successions.map(({ target }) => target));
    for (const id of ids) others.delete(id);
    const successors = await read([...others].slice(0, SUCCESSOR_LIMIT), 0);
    return { memories, successions, successors: successors.memories };
  };
}

/** The id as given, the last access, and the properties; null for a memory that the cache has. */
type Found = readonly [MemoryId, unknown, Row | null];

function memoriesOf(row: Row): readonly Found[] {
  return row['memories'] as readonly Found[]; // as the statement collects them
}

function isComplete([, lastAccessed, memory]: Found): boolean {
  return memory === null ? lastAccessed !== null : isMemoryComplete(memory);
}
