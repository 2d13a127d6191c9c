/** Lets the sources of one recall ask the graph together: what its searches look for by words and by metadata, in all passes, is one call. */
import type { GraphFindings, GraphReader, KeywordSearch, MetadataSearch } from '../../../shared/graph/graph.js';

export type WordSearches = Pick<GraphReader, 'keyword' | 'metadata'>;

/** Ten queries in two passes each ask for more than the graph takes at once; what comes beyond it travels beside it. */
const SEARCHES_LIMIT = 40;

type Waiting<S, F> = {
  readonly search: S;
  readonly resolve: (found: F) => void;
  readonly reject: (error: unknown) => void;
};

/** Whatever is asked for in the same turn of the event loop goes together. */
export function searchTogether(graph: Pick<GraphReader, 'search'>): WordSearches {
  let keyword: Waiting<KeywordSearch, GraphFindings['keyword'][number]>[] = [];
  let metadata: Waiting<MetadataSearch, GraphFindings['metadata'][number]>[] = [];

  function sendLater(): void {
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

  async function send(some: { readonly keyword: typeof keyword; readonly metadata: typeof metadata }): Promise<void> {
    try {
      const found = await graph.search({
        keyword: some.keyword.map(({ search }) => search),
        metadata: some.metadata.map(({ search }) => search),
      });
      some.keyword.forEach(({ resolve }, index) => resolve(found.keyword[index] ?? []));
      some.metadata.forEach(({ resolve }, index) => resolve(found.metadata[index] ?? []));
    } catch (error) {
      for (const { reject } of [...some.keyword, ...some.metadata]) reject(error);
    }
  }

  return {
    keyword: (search) =>
      new Promise((resolve, reject) => {
        sendLater();
        keyword.push({ search, resolve, reject });
      }),
    metadata: (search) =>
      new Promise((resolve, reject) => {
        sendLater();
        metadata.push({ search, resolve, reject });
      }),
  };
}
