/**
 * Batches the keyword and metadata searches of one recall: those of all its searches and passes become one call to the
 * graph.
 */
import type { GraphFindings, GraphReader, KeywordSearch, MetadataSearch } from '../../../../shared/graph/graph.js';

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

/** Searches of the same turn of the event loop share a call. */
export function batchWordSearches(graph: Pick<GraphReader, 'search'>): WordSearches {
  let keyword: PendingSearch<KeywordSearch, GraphFindings['keyword'][number]>[] = [];
  let metadata: PendingSearch<MetadataSearch, GraphFindings['metadata'][number]>[] = [];

  function scheduleSend(): void {
    if (keyword.length + metadata.length === 0) queueMicrotask(sendAll);
  }

  function sendAll(): void {
    const all = { keyword, metadata };
    [keyword, metadata] = [[], []];
    for (let start = 0; start < Math.max(all.keyword.length, all.metadata.length); start += SEARCHES_LIMIT) {
      void send({
        keyword: all.keyword.slice(start, start + SEARCHES_LIMIT),
        metadata: all.metadata.slice(start, start + SEARCHES_LIMIT),
      });
    }
  }

  async function send(batch: { readonly keyword: typeof keyword; readonly metadata: typeof metadata }): Promise<void> {
    try {
      const found = await graph.search({
        keyword: batch.keyword.map(({ search }) => search),
        metadata: batch.metadata.map(({ search }) => search),
      });
      batch.keyword.forEach(({ resolve }, index) => resolve(found.keyword[index] ?? []));
      batch.metadata.forEach(({ resolve }, index) => resolve(found.metadata[index] ?? []));
    } catch (error) {
      for (const { reject } of [...batch.keyword, ...batch.metadata]) reject(error);
    }
  }

  return {
    keyword: (search) =>
      new Promise((resolve, reject) => {
        scheduleSend();
        keyword.push({ search, resolve, reject });
      }),
    metadata: (search) =>
      new Promise((resolve, reject) => {
        scheduleSend();
        metadata.push({ search, resolve, reject });
      }),
  };
}
