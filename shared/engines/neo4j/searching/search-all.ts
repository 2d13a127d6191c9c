/**
 * Runs the searches of one request: keyword searches for the same words share one round trip, the others run in
 * parallel.
 */
import type { GraphFindings, GraphSearches, KeywordSearch } from '../../../ports/graph.js';
import type { Neo4j, Row, Statement } from '../neo4j.js';
import { searchKeyword } from './search-keyword.js';
import { searchMetadata } from './search-metadata.js';

export async function searchAll(
  neo4j: Pick<Neo4j, 'readAll'>,
  { keyword, metadata }: GraphSearches,
): Promise<GraphFindings> {
  const metadataReads = batchReads(neo4j);
  const [words, values] = await Promise.all([
    Promise.all(
      searchRuns(keyword).map((run) => {
        const batched = batchReads(neo4j);
        return Promise.all(run.map((search) => searchKeyword(batched, search)));
      }),
    ),
    Promise.all(metadata.map((search) => searchMetadata(metadataReads, search))),
  ]);
  return { keyword: words.flat(), metadata: values };
}

/**
 * Groups searches that follow each other with the same terms. The results of the groups, concatenated, are in the order
 * of the searches.
 */
function searchRuns(searches: readonly KeywordSearch[]): readonly (readonly KeywordSearch[])[] {
  const runs: KeywordSearch[][] = [];
  for (const search of searches) {
    const last = runs.at(-1);
    if (last && last[0]?.terms.join(' ') === search.terms.join(' ')) last.push(search);
    else runs.push([search]);
  }
  return runs;
}

type Waiting = {
  readonly statement: Statement;
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Sends all statements read in the same turn of the event loop in one batch, so that each caller can still read one
 * statement at a time. For the reads of one request only, because a fast read in a batch waits for the slow ones.
 */
function batchReads(neo4j: Pick<Neo4j, 'readAll'>): Pick<Neo4j, 'read'> {
  let waiting: Waiting[] = [];

  async function sendAll(): Promise<void> {
    const all = waiting;
    waiting = [];
    try {
      const answers = await neo4j.readAll(all.map(({ statement }) => statement));
      all.forEach(({ resolve }, index) => resolve(answers[index] ?? []));
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  }

  return {
    read: (statement) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) queueMicrotask(() => void sendAll());
        waiting.push({ statement, resolve, reject });
      }),
  };
}
