/**
 * Runs each fixed statement once, so that Neo4j has a plan before a caller waits for it. A first use costs 70 ms, right
 * after a start one second.
 */
import { randomUUID } from 'node:crypto';
import { CONTRADICTING_TYPES } from '../../contract/association.js';
import { type MemoryFilter, NO_CONDITIONS } from '../../contract/filter.js';
import { SUPERSESSION_HOPS } from '../../contract/limits.js';
import type { Memory, MemoryId } from '../../contract/memory.js';
import type { ListFilter } from '../../ports/graph-inspector.js';
import { tagPrefixes } from '../../text/tags.js';
import { UPSERT_ENTITIES } from './applying/apply-events.js';
import { FIND_HUB } from './applying/clear-hub.js';
import { DELETE_MEMORIES } from './applying/delete-memories.js';
import { LOCK, LOCK_WITH_NEIGHBOURS, lockSubjects } from './applying/lock-subjects.js';
import { REPLACE_DERIVED } from './applying/replace-derived.js';
import { UPSERT_ASSOCIATIONS } from './applying/upsert-associations.js';
import { UPSERT_MEMORIES, upsertMemories } from './applying/upsert-memories.js';
import type { Neo4j } from './neo4j.js';
import { createNeo4jGraphInspector } from './neo4j-graph-inspector.js';
import { ADVANCE, createNeo4jGraphMark } from './neo4j-graph-mark.js';
import { createNeo4jGraphReader } from './neo4j-graph-reader.js';
import { RECORD_ACCESS } from './neo4j-graph-writer.js';
import { searchMetadataOfPart } from './searching/search-metadata.js';

/** An id that no memory has. */
const ABSENT_ID = '00000000-0000-0000-0000-000000000000' as MemoryId; // only the form of an id matters here
const NOW = '2024-01-01T00:00:00+00:00';
const OPEN: MemoryFilter = {
  ...NO_CONDITIONS,
  excludedTypes: [],
  state: 'current',
  now: NOW,
};
/** An importance that no memory has. */
const FIRST = { importance: 2, timestamp: NOW, id: ABSENT_ID };
const SELECTION = { minImportance: FIRST.importance, types: null, since: null };
const EVERYTHING: ListFilter = {
  ...{ tags: null, within: null, excludedTypes: [], terms: [] },
  ...{ minImportance: 0, types: null, since: null, until: null },
};
/** With words, and without. */
const LISTINGS = [[], [ABSENT_ID]].map((terms) => ({ ...EVERYTHING, terms, since: NOW, until: NOW }));
const NARROW: MemoryFilter = { ...OPEN, start: NOW, end: NOW };

export type WarmUp = {
  readonly writes?: boolean;
  /** Only what each recall needs: a tenant has plans of its own, and its first caller waits for them. */
  readonly isForRecall?: boolean;
  readonly excludedTypes?: readonly string[];
};

/**
 * One statement at a time: the server uses one core for each plan, and calls that are already running must not wait
 * behind many plans. In a random order, because the processes of a deployment start together: each one plans other
 * statements then, and finds the plans of the others.
 */
export async function warmUp(
  neo4j: Pick<Neo4j, 'read' | 'readAll' | 'write'>,
  { writes = false, isForRecall = false, excludedTypes = [] }: WarmUp,
): Promise<void> {
  const reads = isForRecall ? readsOfRecall(neo4j) : readsOf(neo4j, excludedTypes);
  const calls = [...reads, ...(writes ? writesOf(neo4j) : [])];
  const inRandomOrder = calls.map((call) => ({ call, at: Math.random() })).sort((one, other) => one.at - other.at);
  for (const { call } of inRandomOrder) await call();
  if (writes) await rehearseImport(neo4j);
}

type Call = () => Promise<unknown>;

const KEY = { source: ABSENT_ID, type: 'RELATES_TO', target: ABSENT_ID } as const;

function readsOfRecall(neo4j: Pick<Neo4j, 'read' | 'readAll' | 'write'>): readonly Call[] {
  const graph = createNeo4jGraphReader({ neo4j });
  const search = { filter: OPEN, limit: 1 };
  return [
    () => graph.memories([ABSENT_ID]),
    () => graph.search({ keyword: [{ terms: [ABSENT_ID], ...search }], metadata: [{ words: [ABSENT_ID], ...search }] }),
    () => graph.relations({ ids: [ABSENT_ID], direction: 'both', types: [KEY.type], limit: 1 }),
    () => graph.among({ ids: [ABSENT_ID, ABSENT_ID], types: CONTRADICTING_TYPES }),
    () => graph.lineages([ABSENT_ID], SUPERSESSION_HOPS),
  ];
}

function readsOf(neo4j: Pick<Neo4j, 'read' | 'readAll' | 'write'>, excludedTypes: readonly string[]): readonly Call[] {
  const graph = createNeo4jGraphReader({ neo4j });
  const inspector = createNeo4jGraphInspector({ neo4j });
  const key = { source: ABSENT_ID, type: 'RELATES_TO', target: ABSENT_ID } as const;
  const directions = ['outgoing', 'both'] as const;
  const orders = ['importance', 'time_desc', 'updated_desc', 'updated_asc'] as const;
  return [
    () => graph.memories([ABSENT_ID]),
    () => graph.associations([key]),
    ...directions.map(
      (direction) => () => graph.relations({ ids: [ABSENT_ID], direction, types: [key.type], limit: 1 }),
    ),
    () => graph.among({ ids: [ABSENT_ID, ABSENT_ID], types: CONTRADICTING_TYPES }),
    () => graph.steps({ ids: [ABSENT_ID], types: [key.type], limit: 1 }),
    () => graph.successions([ABSENT_ID], SUPERSESSION_HOPS),
    ...[SUPERSESSION_HOPS, 0].map((hops) => () => graph.lineages([ABSENT_ID], hops)),
    () => graph.byTag({ tags: [ABSENT_ID], offset: 0, limit: 1 }),
    () => graph.idsByTag({ tags: [ABSENT_ID], after: '', limit: 1 }),
    () => graph.keyword({ terms: [ABSENT_ID], filter: OPEN, limit: 1 }),
    () => graph.metadata({ words: [ABSENT_ID], filter: OPEN, limit: 1 }),
    () => searchMetadataOfPart(neo4j, { words: [ABSENT_ID], filter: NARROW, limit: 1 }),
    ...[OPEN, NARROW].flatMap((filter) => orders.map((order) => () => graph.trending({ filter, order, limit: 1 }))),
    () => graph.newestWithin({ windows: [{ start: NOW, end: NOW }], filter: OPEN, limit: 1 }),
    () => graph.topByTag({ tags: [ABSENT_ID], filter: OPEN, limit: 1 }),
    () => graph.tombstones([ABSENT_ID]),
    () => graph.entityPage({ after: '', limit: 1 }),
    () => createNeo4jGraphMark({ neo4j }).read(),
    () => graph.counts({ excludedTypes }),
    // The console begins with them.
    () => inspector.totals(),
    () => inspector.spread({ importances: [], from: NOW, until: NOW }),
    () => inspector.newestTagCounts(1),
    ...LISTINGS.flatMap((filter) => [
      () => inspector.listed({ filter, sort: 'newest', after: null, limit: 1 }),
      () => inspector.facets({ filter, sort: 'newest' }),
    ]),
    () => inspector.tagUses({ prefixes: [ABSENT_ID], limit: 1 }),
    () => inspector.tagUsesOf([ABSENT_ID]),
    () => inspector.mostImportant({ ...SELECTION, after: null, limit: 1 }),
    () => inspector.associationsWithin({ ...SELECTION, ids: [ABSENT_ID], last: FIRST, after: null, limit: 1 }),
    () => graph.entities([{ category: 'people', slug: ABSENT_ID }]),
  ];
}

/** They write nothing: the server plans each statement and runs it on no rows. */
function writesOf(neo4j: Pick<Neo4j, 'write'>): readonly Call[] {
  const nothing = {
    ...{ ids: [], deleted: [], rows: [], at: NOW, hubSize: 0 },
    ...{ name: '', position: 0, eventId: '', expected: 0, changes: 0, journalId: '', isReplay: false },
  };
  return WRITES.map((text) => () => neo4j.write([{ text, given: nothing }]));
}

const WRITES = [
  ...[LOCK, LOCK_WITH_NEIGHBOURS, UPSERT_MEMORIES, DELETE_MEMORIES, UPSERT_ASSOCIATIONS],
  ...[REPLACE_DERIVED, UPSERT_ENTITIES, ADVANCE, FIND_HUB, RECORD_ACCESS],
];

/** Memories of the rehearsal: with 300 instead of 100, an import takes the same time. */
const REHEARSED = 100;
const ROLL_BACK = Symbol('roll back');

/**
 * Writes memories as an import does, and rolls them back. A plan alone is not enough: the server compiles what runs
 * often while it runs. On two cores, the first 200 memories after a start took 1.9 s before their commit, and 0.4 s
 * after this rehearsal; three such groups at the same time took longer than their transactions may. It takes 1.8 s of
 * processor time after a start, and 0.3 s later.
 */
async function rehearseImport(neo4j: Pick<Neo4j, 'write'>): Promise<void> {
  const memories = Array.from({ length: REHEARSED }, () => ({ ...IMPORTED, id: randomUUID() as MemoryId })); // lower case
  const written = { vectorRef: null, version: 1, revision: 1, position: 1, changed: [], isStored: true };
  const rollBack = (): never => {
    throw ROLL_BACK;
  };
  try {
    await neo4j.write([
      lockSubjects({ ids: memories.map(({ id }) => id), deleted: [] }),
      { ...upsertMemories(memories.map((memory) => ({ memory, ...written }))), check: rollBack },
    ]);
  } catch (error) {
    if (error !== ROLL_BACK) throw error;
  }
}

const TAGS = ['project:rehearsal', 'project:rehearsal:start', 'tool:neo4j', 'person:ann', 'entity:tools:neo4j'];

const IMPORTED: Omit<Memory, 'id'> = {
  ...{ content: 'Ann moved the retry logic of billing to Neo4j because the old way timed out', type: 'Context' },
  ...{ confidence: 0.9, importance: 0.5, tags: TAGS, tag_prefixes: tagPrefixes(TAGS), metadata: { source: 'start' } },
  ...{ timestamp: NOW, updated_at: NOW, last_accessed: NOW, enriched: false, processed: false },
};
