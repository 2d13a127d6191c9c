/**
 * Batches the keyword, metadata and adjacent searches of one recall: those of all its searches and passes become one
 * call to the graph.
 */
import type {
  AdjacentSearch,
  GraphFindings,
  GraphReader,
  KeywordSearch,
  MetadataSearch,
} from '../../../../shared/ports/graph.js';

export type WordSearches = Pick<GraphReader, 'keyword' | 'metadata'> & {
  adjacent(search: AdjacentSearch): Promise<GraphFindings['adjacent'][number]>;
};

/**
 * The most searches that the graph accepts in one call. Ten queries in two passes exceed it; further searches go into a
 * concurrent call.
 */
const SEARCHES_LIMIT = 40;

type PendingSearch<S, F> = {
  readonly search: S;
  readonly resolve: (found: F) => void;
  readonly reject: (error: unknown) => void;
};

type Pending = {
  readonly keyword: PendingSearch<KeywordSearch, GraphFindings['keyword'][number]>[];
  readonly metadata: PendingSearch<MetadataSearch, GraphFindings['metadata'][number]>[];
  readonly adjacent: PendingSearch<AdjacentSearch, GraphFindings['adjacent'][number]>[];
};

/** Searches of the same turn of the event loop share a call. */
export function batchWordSearches(graph: Pick<GraphReader, 'search'>): WordSearches {
  let pending = nothingPending();

  function scheduleSend(): void {
    if (largestOf(pending) === 0) queueMicrotask(sendAll);
  }

  function sendAll(): void {
    const all = pending;
    pending = nothingPending();
    for (let start = 0; start < largestOf(all); start += SEARCHES_LIMIT) {
      const end = start + SEARCHES_LIMIT;
      void send({
        keyword: all.keyword.slice(start, end),
        metadata: all.metadata.slice(start, end),
        adjacent: all.adjacent.slice(start, end),
      });
    }
  }

  async function send({ keyword, metadata, adjacent }: Pending): Promise<void> {
    try {
      const found = await graph.search({
        keyword: keyword.map(({ search }) => search),
        metadata: metadata.map(({ search }) => search),
        adjacent: adjacent.map(({ search }) => search),
      });
      keyword.forEach(({ resolve }, index) => resolve(found.keyword[index] ?? []));
      metadata.forEach(({ resolve }, index) => resolve(found.metadata[index] ?? []));
      adjacent.forEach(({ resolve }, index) => resolve(found.adjacent[index] ?? []));
    } catch (error) {
      for (const { reject } of [...keyword, ...metadata, ...adjacent]) reject(error);
    }
  }

  return {
    keyword: (search) =>
      new Promise((resolve, reject) => {
        scheduleSend();
        pending.keyword.push({ search, resolve, reject });
      }),
    metadata: (search) =>
      new Promise((resolve, reject) => {
        scheduleSend();
        pending.metadata.push({ search, resolve, reject });
      }),
    adjacent: (search) =>
      new Promise((resolve, reject) => {
        scheduleSend();
        pending.adjacent.push({ search, resolve, reject });
      }),
  };
}

function nothingPending(): Pending {
  return { keyword: [], metadata: [], adjacent: [] };
}

function largestOf({ keyword, metadata, adjacent }: Pending): number {
  return Math.max(keyword.length, metadata.length, adjacent.length);
}
