/**
 * Batches the keyword and metadata searches of one recall: those of all its searches and passes become one
 * call to the graph.
 */
import type { GraphFindings, GraphReader, KeywordSearch, MetadataSearch } from '../../../../shared/ports/graph.js';

export type WordSearches = Pick<GraphReader, 'keyword' | 'metadata'>;

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
      });
    }
  }

  async function send({ keyword, metadata }: Pending): Promise<void> {
    try {
      const found = await graph.search({
        keyword: keyword.map(({ search }) => search),
        metadata: metadata.map(({ search }) => search),
      });
      keyword.forEach(({ resolve }, index) => resolve(found.keyword[index] ?? []));
      metadata.forEach(({ resolve }, index) => resolve(found.metadata[index] ?? []));
    } catch (error) {
      for (const { reject } of [...keyword, ...metadata]) reject(error);
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
  };
}

function nothingPending(): Pending {
  return { keyword: [], metadata: [] };
}

function largestOf({ keyword, metadata }: Pending): number {
  return Math.max(keyword.length, metadata.length);
}
