/** What the graph knows, from SQLite. Every read is one procedure: one round trip, one snapshot. Words are searched in a thread of their own. */
import { procedure, type SqliteHost } from '../../sqlite/host.js';
import type { GraphReader } from '../graph.js';
import { asGraph } from './graph-errors.js';
import { readByTag, readIdsByTag } from './read-by-tag.js';
import { readCounts } from './read-counts.js';
import { readLineages } from './read-lineages.js';
import { readAssociations, readMemories } from './read-memories.js';
import { readRelations } from './read-relations.js';
import { readSuccessions } from './read-successions.js';
import { readTopByTag } from './read-top-by-tag.js';
import { readTrending } from './read-trending.js';
import { loadedMemory } from './rows.js';
import { searchMetadata, searchMetadatas } from './search-metadata.js';
import { createWordSearch } from './words/create-word-search.js';

export function createSqliteGraphReader({
  host,
}: {
  readonly host: Pick<SqliteHost, 'read' | 'openReader'>;
}): GraphReader {
  const words = createWordSearch({ host });
  return {
    ping: () => asGraph(host.read(pingGraph, null)),
    memories: async (ids) => (await asGraph(host.read(readMemories, ids))).map(loadedMemory),
    associations: (keys) => asGraph(host.read(readAssociations, keys)),
    relations: (request) => asGraph(host.read(readRelations, request)),
    successions: (ids, hops) => asGraph(host.read(readSuccessions, { ids, hops })),
    lineages: async (ids, hops) => {
      const { memories, successions, successors } = await asGraph(host.read(readLineages, { ids, hops }));
      return { memories: memories.map(loadedMemory), successions, successors: successors.map(loadedMemory) };
    },
    byTag: async (request) => {
      const { rows, hasMore } = await asGraph(host.read(readByTag, request));
      return { memories: rows.map(loadedMemory), hasMore };
    },
    idsByTag: (request) => asGraph(host.read(readIdsByTag, request)),
    keyword: async (search) => (await asGraph(words([search])))[0] ?? [],
    metadata: (search) => asGraph(host.read(searchMetadata, search)),
    search: async ({ keyword, metadata }) => {
      const [found, values] = await asGraph(
        Promise.all([
          keyword.length === 0 ? [] : words(keyword),
          metadata.length === 0 ? [] : host.read(searchMetadatas, metadata),
        ]),
      );
      return { keyword: found, metadata: values };
    },
    trending: (request) => asGraph(host.read(readTrending, request)),
    topByTag: (request) => asGraph(host.read(readTopByTag, request)),
    counts: (request) => asGraph(host.read(readCounts, request)),
  };
}

export const pingGraph = procedure(import.meta.url, 'pingGraph', (database, _args: null): void => {
  database.get('SELECT associations FROM association_counts');
});
