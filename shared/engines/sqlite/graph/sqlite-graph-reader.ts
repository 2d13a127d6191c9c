/**
 * Reads the graph from SQLite. Every read is one procedure: one round trip, one snapshot. A thread of its own runs
 * keyword searches.
 */
import type { EntityKey, EntityRecord } from '../../../contract/entities/entity.js';
import type { GraphReader, LoadedEntity } from '../../../ports/graph.js';
import type { SqlRow } from '../threads/database.js';
import { procedure, type SqliteHost } from '../threads/host.js';
import { withGraphErrors } from './graph-errors.js';
import { createLineageReader } from './reading/lineage-reader.js';
import { readByTag, readIdsByTag } from './reading/read-by-tag.js';
import { readAssociations, readMemories, readTombstones } from './reading/read-memories.js';
import { readAmong, readRelations, readSteps } from './reading/read-relations.js';
import { readSuccessions } from './reading/read-successions.js';
import { loadedMemory, tombstoneEntry } from './schema/rows.js';
import { readTopByTag } from './searching/read-top-by-tag.js';
import { readNewestWithin, readTrending } from './searching/read-trending.js';
import { searchKeywords } from './searching/search-keyword.js';
import { searchAllMetadata, searchMetadata } from './searching/search-metadata.js';
import { createWordThread, type WordThread } from './searching/words/word-thread.js';

export function createSqliteGraphReader({
  host,
  words = createWordThread({ host }),
}: {
  readonly host: Pick<SqliteHost, 'read' | 'openReader'>;
  readonly words?: WordThread;
}): GraphReader {
  void words.load();
  const lineages = createLineageReader({ host });
  return {
    ping: () => withGraphErrors(host.read(pingGraph, null)),
    ...createSqliteGraphStates({ host }),
    entities: (keys) => withGraphErrors(host.read(readEntities, keys)),
    entityPage: (request) => withGraphErrors(host.read(readEntityPage, request)),
    relations: (request) => withGraphErrors(host.read(readRelations, request)),
    steps: (request) => withGraphErrors(host.read(readSteps, request)),
    among: (request) => withGraphErrors(host.read(readAmong, request)),
    successions: (ids, hops) => withGraphErrors(host.read(readSuccessions, { ids, hops })),
    lineages: (ids, hops) => withGraphErrors(lineages(ids, hops)),
    byTag: async (request) => {
      const { rows, hasMore } = await withGraphErrors(host.read(readByTag, request));
      return { memories: rows.map(loadedMemory), hasMore };
    },
    idsByTag: (request) => withGraphErrors(host.read(readIdsByTag, request)),
    keyword: async (search) => (await withGraphErrors(words.read(searchKeywords, [search])))[0] ?? [],
    metadata: (search) => withGraphErrors(host.read(searchMetadata, search)),
    search: async ({ keyword, metadata }) => {
      const [found, values] = await withGraphErrors(
        Promise.all([
          keyword.length === 0 ? [] : words.read(searchKeywords, keyword),
          metadata.length === 0 ? [] : host.read(searchAllMetadata, metadata),
        ]),
      );
      return { keyword: found, metadata: values };
    },
    trending: (request) => withGraphErrors(host.read(readTrending, request)),
    newestWithin: (request) => withGraphErrors(host.read(readNewestWithin, request)),
    topByTag: (request) => withGraphErrors(host.read(readTopByTag, request)),
    counts: (request) => withGraphErrors(host.read(readCounts, request)),
  };
}

/** The reads by key alone, without the index of words. */
export function createSqliteGraphStates({
  host,
}: {
  readonly host: Pick<SqliteHost, 'read'>;
}): Pick<GraphReader, 'memories' | 'tombstones' | 'associations'> {
  return {
    memories: async (ids) => (await withGraphErrors(host.read(readMemories, ids))).map(loadedMemory),
    tombstones: async (ids) => new Map((await withGraphErrors(host.read(readTombstones, ids))).map(tombstoneEntry)),
    associations: (keys) => withGraphErrors(host.read(readAssociations, keys)),
  };
}

export const pingGraph = procedure(import.meta.url, 'pingGraph', (database, _args: null): void => {
  database.get('SELECT associations FROM association_counts');
});

type Counts = { memories: number; associations: number; unenriched: number };

const COUNTS = `SELECT
  (SELECT coalesce(sum(memories), 0) FROM memory_counts WHERE type NOT IN (SELECT value FROM json_each(?1))) AS memories,
  (SELECT coalesce(sum(unenriched), 0) FROM memory_counts WHERE type NOT IN (SELECT value FROM json_each(?1))) AS unenriched,
  (SELECT associations FROM association_counts) AS associations`;

export const readCounts = procedure(
  import.meta.url,
  'readCounts',
  (database, { excludedTypes }: { readonly excludedTypes: readonly string[] }): Counts => {
    const row = database.get(COUNTS, [JSON.stringify(excludedTypes)]);
    return {
      memories: Number(row?.['memories']),
      associations: Number(row?.['associations']),
      unenriched: Number(row?.['unenriched']),
    };
  },
);

const COLUMNS = 'body, version, revision';
const BY_KEY = `SELECT ${COLUMNS} FROM entity_records WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key`;
const PAGE = `SELECT ${COLUMNS} FROM entity_records WHERE key > ? ORDER BY key LIMIT ?`;

export const readEntities = procedure(
  import.meta.url,
  'readEntities',
  (database, keys: readonly EntityKey[]): LoadedEntity[] =>
    database.all(BY_KEY, [JSON.stringify(keys.map(({ category, slug }) => `${category}:${slug}`))]).map(loadedEntity),
);

type Page = { readonly after: string; readonly limit: number };

export const readEntityPage = procedure(
  import.meta.url,
  'readEntityPage',
  (database, { after, limit }: Page): LoadedEntity[] => database.all(PAGE, [after, limit]).map(loadedEntity),
);

/**
 * Reads records of entities by their keys. The cast is safe because `apply` wrote a validated event.
 */
function loadedEntity({ body, version, revision }: SqlRow): LoadedEntity {
  return { entity: JSON.parse(String(body)) as EntityRecord, version: Number(version), revision: Number(revision) };
}
