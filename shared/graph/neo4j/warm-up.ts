/** Lets Neo4j plan the fixed statements before callers wait for them: the first use of one costs 70 ms, just after a start a second. */
import { SUPERSESSION_HOPS } from '../../contract/limits.js';
import type { MemoryFilter } from '../../contract/filter.js';
import type { MemoryId } from '../../contract/memory.js';
import { ASSOCIATE } from './associate.js';
import { createNeo4jGraphReader } from './create-neo4j-graph-reader.js';
import { FORGET_MEMORIES } from './forget-memories.js';
import { LOCK, LOCK_WITH_NEIGHBOURS } from './lock-subjects.js';
import type { Neo4j } from './neo4j.js';
import { SHOW_MEMORIES } from './show-memories.js';
import { TOUCH } from './touch.js';

/** No memory has it. */
const NOBODY = '00000000-0000-0000-0000-000000000000' as MemoryId; // the shape of an id is all that counts
const NOW = '2024-01-01T00:00:00+00:00';
const OPEN: MemoryFilter = {
  tags: null,
  excludeTags: [],
  start: null,
  end: null,
  excludedTypes: [],
  state: 'current',
  now: NOW,
};
const NARROW: MemoryFilter = { ...OPEN, start: NOW, end: NOW };

/** One by one: the server plans on one core for each, and those who already call must not wait behind a crowd. */
export async function warmUpReads(
  neo4j: Pick<Neo4j, 'read' | 'readAll'>,
  { excludedTypes }: { readonly excludedTypes: readonly string[] },
): Promise<void> {
  const graph = createNeo4jGraphReader({ neo4j });
  const key = { source: NOBODY, type: 'RELATES_TO', target: NOBODY } as const;
  await graph.memories([NOBODY]);
  await graph.associations([key]);
  for (const direction of ['outgoing', 'both'] as const)
    await graph.relations({ ids: [NOBODY], direction, types: [key.type], limit: 1 });
  await graph.successions([NOBODY], SUPERSESSION_HOPS);
  await graph.lineages([NOBODY], SUPERSESSION_HOPS);
  await graph.byTag({ tags: [NOBODY], offset: 0, limit: 1 });
  await graph.idsByTag({ tags: [NOBODY], after: '', limit: 1 });
  await graph.keyword({ terms: [NOBODY], filter: OPEN, limit: 1 });
  await graph.metadata({ words: [NOBODY], filter: OPEN, limit: 1 });
  for (const filter of [OPEN, NARROW]) {
    for (const order of ['importance', 'updated_desc', 'updated_asc'] as const)
      await graph.trending({ filter, order, limit: 1 });
  }
  await graph.counts({ excludedTypes });
}

/** Writes nothing: without rows the statements are planned and end. */
export async function warmUpWrites(neo4j: Pick<Neo4j, 'write'>): Promise<void> {
  const nothing = { ids: [], deleted: [], rows: [], at: NOW };
  for (const text of [LOCK, LOCK_WITH_NEIGHBOURS, SHOW_MEMORIES, FORGET_MEMORIES, ASSOCIATE, TOUCH])
    await neo4j.write([{ text, given: nothing }]);
}
