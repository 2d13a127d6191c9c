/** What the graph knows, from Neo4j. Every read is one statement or several at once, trending under a filter or by tags that leave much two. */
import type { GraphReader } from '../graph.js';
import type { Neo4j } from './neo4j.js';
import { readByTag, readIdsByTag } from './read-by-tag.js';
import { readCounts } from './read-counts.js';
import { readLineages } from './read-lineages.js';
import { readAssociations, readMemories } from './read-memories.js';
import { readRelations } from './read-relations.js';
import { readSuccessions } from './read-successions.js';
import { readTopByTag } from './read-top-by-tag.js';
import { readTrending } from './read-trending.js';
import { searchAll } from './search-all.js';
import { searchKeyword } from './search-keyword.js';
import { searchMetadata } from './search-metadata.js';

export function createNeo4jGraphReader({ neo4j }: { readonly neo4j: Pick<Neo4j, 'read' | 'readAll'> }): GraphReader {
  return {
    ping: async () => void (await neo4j.read({ text: 'RETURN 1', given: {} })),
    memories: (ids) => readMemories(neo4j, ids),
    associations: (keys) => readAssociations(neo4j, keys),
    relations: (request) => readRelations(neo4j, request),
    successions: (ids, hops) => readSuccessions(neo4j, ids, hops),
    lineages: (ids, hops) => readLineages(neo4j, ids, hops),
    byTag: (request) => readByTag(neo4j, request),
    idsByTag: (request) => readIdsByTag(neo4j, request),
    keyword: (search) => searchKeyword(neo4j, search),
    metadata: (search) => searchMetadata(neo4j, search),
    search: (searches) => searchAll(neo4j, searches),
    trending: (request) => readTrending(neo4j, request),
    topByTag: (request) => readTopByTag(neo4j, request),
    counts: (request) => readCounts(neo4j, request),
  };
}
