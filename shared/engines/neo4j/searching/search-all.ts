/**
 * Runs the searches of one request. Searches for the same words, which follow each other, are one statement. The other
 * keyword searches run in parallel; the metadata searches, which are short, share one round trip.
 */
import type { GraphFindings, GraphSearches, KeywordSearch, MetadataSearch } from '../../../ports/graph.js';
import type { Neo4j, Row, Statement } from '../neo4j.js';
import { searchKeywords } from './search-keyword.js';
import { searchMetadatas } from './search-metadata.js';

export async function searchAll(
  neo4j: Pick<Neo4j, 'read' | 'readAll'>,
  { keyword, metadata }: GraphSearches,
): Promise<GraphFindings> {
  const keywordRuns = runsOf(keyword, ({ terms }: KeywordSearch) => terms.join(' '));
  const metadataRuns = runsOf(metadata, ({ words, limit }: MetadataSearch) => `${limit} ${words.join(' ')}`);
  const metadataReads = batchReads(neo4j);
  const [words, values] = await Promise.all([
    Promise.all(keywordRuns.map((run) => searchKeywords(neo4j, run))),
    Promise.all(metadataRuns.map((run) => searchMetadatas(metadataReads, run))),
  ]);
  return { keyword: words.flat(), metadata: values.flat() };
}

/** Groups searches that follow each other with the same key. The groups together are in the order of the searches. */
function runsOf<S>(searches: readonly S[], keyOf: (search: S) => string): readonly (readonly S[])[] {
  const runs: S[][] = [];
  for (const search of searches) {
    const last = runs.at(-1)?.[0];
    if (last !== undefined && keyOf(last) === keyOf(search)) runs.at(-1)?.push(search);
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
