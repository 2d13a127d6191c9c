/** Describes the graph in Neo4j. Each read takes one round trip. */
import type { GraphInspector } from '../../ports/graph-inspector.js';
import { readAssociationsWithin } from './inspecting/read-associations-within.js';
import { readMostImportant } from './inspecting/read-most-important.js';
import { readConfidences, readPreferences, readSpread, readTotals } from './inspecting/read-statistics.js';
import { readMemoriesTagged, readTagCounts, readTagUsesOf } from './inspecting/read-tag-uses.js';
import type { Neo4j } from './neo4j.js';

export function createNeo4jGraphInspector({
  neo4j,
}: {
  readonly neo4j: Pick<Neo4j, 'read' | 'readAll'>;
}): GraphInspector {
  return {
    mostImportant: (request) => readMostImportant(neo4j, request),
    associationsWithin: (request) => readAssociationsWithin(neo4j, request),
    totals: () => readTotals(neo4j),
    spread: (request) => readSpread(neo4j, request),
    averageConfidences: () => readConfidences(neo4j),
    strongestPreferences: (limit) => readPreferences(neo4j, limit),
    tagCounts: (request) => readTagCounts(neo4j, request),
    tagUsesOf: (tags) => readTagUsesOf(neo4j, tags),
    memoriesTagged: (request) => readMemoriesTagged(neo4j, request),
  };
}
