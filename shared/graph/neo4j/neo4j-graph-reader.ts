/**
 * Reads the graph from Neo4j. Each read takes one round trip; `trending` and `topByTag` take two when their filter or tag admits many
 * memories.
 */
import type { GraphReader } from '../graph.js';
import type { Neo4j } from './neo4j.js';
import { readByTag, readIdsByTag } from './reading/read-by-tag.js';
import { readCounts } from './reading/read-counts.js';
import { readLineages } from './reading/read-lineages.js';
import { readAssociations, readMemories, readTombstones } from './reading/read-memories.js';
import { readRelations } from './reading/read-relations.js';
import { readSuccessions } from './reading/read-successions.js';
import { readTopByTag } from './searching/read-top-by-tag.js';
import { readTrending } from './searching/read-trending.js';
import { searchAll } from './searching/search-all.js';
import { searchKeyword } from './searching/search-keyword.js';
import { searchMetadata } from './searching/search-metadata.js';

export function createNeo4jGraphReader({ neo4j }: { readonly neo4j: Pick<Neo4j, 'read' | 'readAll'> }): GraphReader {
  return {
    ping: async () => void (await neo4j.read({ text: 'RETURN 1', given: {} })),
    memories: (ids) => readMemories(neo4j, ids),
    tombstones: (ids) => readTombstones(neo4j, ids),
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
