/**
 * Reads the graph from Neo4j. Each read takes one round trip; `trending` and `topByTag` take two when their filter or tag admits many
 * memories.
 */
import type { GraphReader } from '../../ports/graph.js';
import type { Neo4j } from './neo4j.js';
import { readByTag, readIdsByTag } from './reading/read-by-tag.js';
import { readCounts } from './reading/read-counts.js';
import { readEntities, readEntityPage } from './reading/read-entities.js';
import { createLineageReader } from './reading/read-lineages.js';
import { readAssociations, readMemoryStates, readTombstones } from './reading/read-memories.js';
import { readRelations } from './reading/read-relations.js';
import { readSuccessions } from './reading/read-successions.js';
import { readNewestWithin } from './searching/read-newest-within.js';
import { readTopByTag } from './searching/read-top-by-tag.js';
import { readTrending } from './searching/read-trending.js';
import { searchAll } from './searching/search-all.js';
import { searchKeyword } from './searching/search-keyword.js';
import { searchMetadata } from './searching/search-metadata.js';

type Reads = Pick<Neo4j, 'read' | 'readAll'>;

/** `searchTimeoutMs`: the server ends a search after this time, because its caller does not wait longer. */
export function createNeo4jGraphReader({
  neo4j,
  searchTimeoutMs = Infinity,
}: {
  readonly neo4j: Reads;
  readonly searchTimeoutMs?: number;
}): GraphReader {
  const limits = { timeoutMs: searchTimeoutMs };
  const searching: Reads = {
    read: (statement) => neo4j.read(statement, limits),
    readAll: (statements) => neo4j.readAll(statements, limits),
  };
  return {
    ping: async () => void (await neo4j.read({ text: 'RETURN 1', given: {} })),
    memories: (ids) => readMemoryStates(neo4j, ids),
    tombstones: (ids) => readTombstones(neo4j, ids),
    associations: (keys) => readAssociations(neo4j, keys),
    entities: (keys) => readEntities(neo4j, keys),
    entityPage: (request) => readEntityPage(neo4j, request),
    relations: (request) => readRelations(neo4j, request),
    successions: (ids, hops) => readSuccessions(neo4j, ids, hops),
    lineages: createLineageReader({ neo4j }),
    byTag: (request) => readByTag(neo4j, request),
    idsByTag: (request) => readIdsByTag(neo4j, request),
    keyword: (search) => searchKeyword(searching, search),
    metadata: (search) => searchMetadata(searching, search),
    search: (searches) => searchAll(searching, searches),
    trending: (request) => readTrending(searching, request),
    newestWithin: (request) => readNewestWithin(searching, request),
    topByTag: (request) => readTopByTag(searching, request),
    counts: (request) => readCounts(neo4j, request),
  };
}
