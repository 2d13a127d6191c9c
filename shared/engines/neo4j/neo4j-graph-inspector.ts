/** Describes the graph in Neo4j. Each read takes one round trip. */
import type { Memory } from '../../contract/memory.js';
import type { GraphInspector, ImportanceCursor, Selection } from '../../ports/graph-inspector.js';
import { readAssociationsWithin } from './inspecting/read-associations-within.js';
import { readFacets, readListed } from './inspecting/read-listed.js';
import { readConfidences, readPreferences, readSpread, readTotals } from './inspecting/read-statistics.js';
import {
  readMemoriesTagged,
  readNewestTagCounts,
  readTagCounts,
  readTagUses,
  readTagUsesOf,
} from './inspecting/read-tag-uses.js';
import type { Neo4j, Row } from './neo4j.js';
import { readCompleteRows } from './reading/read-memories.js';
import { loadedMemory, MEMORY_FIELDS } from './schema/memory-node.js';
import { rankAfter, rankOf } from './schema/rank.js';

export function createNeo4jGraphInspector({
  neo4j,
}: {
  readonly neo4j: Pick<Neo4j, 'read' | 'readAll'>;
}): GraphInspector {
  return {
    mostImportant: (request) => readMostImportant(neo4j, request),
    listed: (request) => readListed(neo4j, request),
    facets: (request) => readFacets(neo4j, request),
    associationsWithin: (request) => readAssociationsWithin(neo4j, request),
    totals: () => readTotals(neo4j),
    spread: (request) => readSpread(neo4j, request),
    averageConfidences: () => readConfidences(neo4j),
    strongestPreferences: (limit) => readPreferences(neo4j, limit),
    tagCounts: (request) => readTagCounts(neo4j, request),
    newestTagCounts: (memories) => readNewestTagCounts(neo4j, memories),
    tagUses: (request) => readTagUses(neo4j, request),
    tagUsesOf: (tags) => readTagUsesOf(neo4j, tags),
    memoriesTagged: (request) => readMemoriesTagged(neo4j, request),
  };
}

/** The rank is projected before ORDER BY: otherwise Neo4j sorts all memories although the index has the order. */
const PAGE = `MATCH (m:Memory) USING INDEX SEEK m:Memory(rank) WHERE m.rank > $given.after AND m.rank < $given.end
    AND m.timestamp >= $given.since AND ($given.types IS NULL OR m.type IN $given.types)
  WITH m, m.rank AS rank ORDER BY rank LIMIT toInteger($given.limit)
  RETURN ${MEMORY_FIELDS} AS memory ORDER BY rank`;

type Page = Selection & { readonly after: ImportanceCursor | null; readonly limit: number };

/** Reads a page of memories in the order of importance: a range of the index of ranks, which has that order. */
async function readMostImportant(
  neo4j: Pick<Neo4j, 'read'>,
  { minImportance, types, since, after, limit }: Page,
): Promise<readonly Memory[]> {
  const given = {
    after: after === null ? '' : rankOf(after),
    end: rankAfter(minImportance),
    since: since ?? '',
    types,
    limit,
  };
  const rows = await readCompleteRows(neo4j, { text: PAGE, given });
  return rows.map((row) => loadedMemory(row['memory'] as Row).memory);
}
