/**
 * Caches the vectors of recent queries: people and agents repeat queries, and an encoder takes 10 ms to 1 s for one.
 */
import { LRUCache } from 'lru-cache';
import { type Metrics, NO_METRICS } from '../../kernel/metrics/metrics.js';
import { type Embedder, embeddingRef } from '../../ports/embedder.js';

/** 1,000 vectors of 1,024 components are 4 MB. */
const QUERY_VECTOR_LIMIT = 1_000;

/** Wraps an embedder with a cache for `query` texts. Documents are not cached; failures are not cached either. */
export function cacheQueryVectors(
  embedder: Embedder,
  {
    limit = QUERY_VECTOR_LIMIT,
    metrics = NO_METRICS,
  }: { readonly limit?: number; readonly metrics?: Pick<Metrics, 'count'> | undefined } = {},
): Embedder {
  const known = new LRUCache<string, Float32Array>({ max: limit });

  async function embedQueries(
    texts: readonly string[],
    options: Parameters<Embedder['embed']>[1],
  ): Promise<readonly Float32Array[]> {
    const refs = texts.map((text) => embeddingRef(embedder.model, text));
    const found = refs.map((ref) => known.get(ref));
    const missing = texts.filter((_, index) => found[index] === undefined);
    metrics.count('palimpsest_query_vectors_total', { source: 'cache' }, texts.length - missing.length);
    metrics.count('palimpsest_query_vectors_total', { source: 'embedder' }, missing.length);
    const embedded = missing.length === 0 ? [] : await embedder.embed(missing, options);
    let next = 0;
    return refs.map((ref, index) => {
      const vector = found[index] ?? embedded[next++];
      if (vector === undefined)
        throw new Error(`${embedder.model} returned ${embedded.length} vectors for ${missing.length} texts`);
      known.set(ref, vector);
      return vector.slice();
    });
  }

  return {
    model: embedder.model,
    dimension: embedder.dimension,
    embed: (texts, options) =>
      options.purpose === 'query' ? embedQueries(texts, options) : embedder.embed(texts, options),
    close: async () => {
      known.clear();
      await embedder.close();
    },
  };
}
