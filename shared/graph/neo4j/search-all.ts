/** The searches of one request: those for the same words share a connection and a round trip, others go on side by side. */
import type { GraphFindings, GraphSearches } from '../graph.js';
import { searchRuns } from './search-runs.js';
import type { Neo4j } from './neo4j.js';
import { readTogether } from './read-together.js';
import { searchKeyword } from './search-keyword.js';
import { searchMetadata } from './search-metadata.js';

export async function searchAll(
  neo4j: Pick<Neo4j, 'readAll'>,
  { keyword, metadata }: GraphSearches,
): Promise<GraphFindings> {
  const described = readTogether(neo4j);
  const [words, values] = await Promise.all([
    Promise.all(
      searchRuns(keyword).map((run) => {
        const together = readTogether(neo4j);
        return Promise.all(run.map((search) => searchKeyword(together, search)));
      }),
    ),
    Promise.all(metadata.map((search) => searchMetadata(described, search))),
  ]);
  return { keyword: words.flat(), metadata: values };
}
