/**
 * Runs each fixed statement once, so that Neo4j has a plan before a caller waits for it. A first use costs 70 ms, right
 * after a start one second.
 */
import type { MemoryFilter } from '../../contract/filter.js';
import { SUPERSESSION_HOPS } from '../../contract/limits.js';
import type { MemoryId } from '../../contract/memory.js';
import { UPSERT_ENTITIES } from './applying/apply-events.js';
import { FIND_HUB } from './applying/clear-hub.js';
import { DELETE_MEMORIES } from './applying/delete-memories.js';
import { LOCK, LOCK_WITH_NEIGHBOURS } from './applying/lock-subjects.js';
import { REPLACE_DERIVED } from './applying/replace-derived.js';
import { UPSERT_ASSOCIATIONS } from './applying/upsert-associations.js';
import { UPSERT_MEMORIES } from './applying/upsert-memories.js';
import type { Neo4j } from './neo4j.js';
import { ADVANCE, createNeo4jGraphMark } from './neo4j-graph-mark.js';
import { createNeo4jGraphReader } from './neo4j-graph-reader.js';
import { TOUCH } from './neo4j-graph-writer.js';
import { searchMetadataOfPart } from './searching/search-metadata.js';

/** An id that no memory has. */
const ABSENT_ID = '00000000-0000-0000-0000-000000000000' as MemoryId; // only the form of an id matters here
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

/**
 * One statement at a time: the server uses one core for each plan, and calls that are already running must not wait
 * behind many plans.
 */
export async function warmUpReads(
  neo4j: Pick<Neo4j, 'read' | 'readAll' | 'write'>,
  { excludedTypes = [] }: { readonly excludedTypes?: readonly string[] },
): Promise<void> {
  const graph = createNeo4jGraphReader({ neo4j });
  const key = { source: ABSENT_ID, type: 'RELATES_TO', target: ABSENT_ID } as const;
  await graph.memories([ABSENT_ID]);
  await graph.associations([key]);
  for (const direction of ['outgoing', 'both'] as const)
    await graph.relations({ ids: [ABSENT_ID], direction, types: [key.type], limit: 1 });
  await graph.steps({ ids: [ABSENT_ID], types: [key.type], limit: 1 });
  await graph.successions([ABSENT_ID], SUPERSESSION_HOPS);
  for (const hops of [SUPERSESSION_HOPS, 0]) await graph.lineages([ABSENT_ID], hops);
  await graph.byTag({ tags: [ABSENT_ID], offset: 0, limit: 1 });
  await graph.idsByTag({ tags: [ABSENT_ID], after: '', limit: 1 });
  await graph.keyword({ terms: [ABSENT_ID], filter: OPEN, limit: 1 });
  await graph.metadata({ words: [ABSENT_ID], filter: OPEN, limit: 1 });
  await searchMetadataOfPart(neo4j, { words: [ABSENT_ID], filter: NARROW, limit: 1 });
  for (const filter of [OPEN, NARROW]) {
    for (const order of ['importance', 'time_desc', 'updated_desc', 'updated_asc'] as const)
      await graph.trending({ filter, order, limit: 1 });
  }
  await graph.newestWithin({ windows: [{ start: NOW, end: NOW }], filter: OPEN, limit: 1 });
  await graph.topByTag({ tags: [ABSENT_ID], filter: OPEN, limit: 1 });
  await graph.tombstones([ABSENT_ID]);
  await graph.entityPage({ after: '', limit: 1 });
  await createNeo4jGraphMark({ neo4j }).read();
  await graph.counts({ excludedTypes });
}

/** Writes nothing: the server plans each statement and runs it on no rows. */
export async function warmUpWrites(neo4j: Pick<Neo4j, 'write'>): Promise<void> {
  const nothing = {
    ...{ ids: [], deleted: [], rows: [], at: NOW, hubSize: 0 },
    ...{ name: '', position: 0, eventId: '', expected: 0, changes: 0, journalId: '', isReplay: false },
  };
  for (const text of WRITES) await neo4j.write([{ text, given: nothing }]);
}

const WRITES = [
  ...[LOCK, LOCK_WITH_NEIGHBOURS, UPSERT_MEMORIES, DELETE_MEMORIES, UPSERT_ASSOCIATIONS],
  ...[REPLACE_DERIVED, UPSERT_ENTITIES, ADVANCE, FIND_HUB, TOUCH],
];
