/** Lists every source of candidates. A new source is added here only. */
import type { Embedder } from '../../../../shared/ports/embedder.js';
import type { GraphReader } from '../../../../shared/ports/graph.js';
import type { VectorIndexReader } from '../../../../shared/ports/vectors.js';
import { batchWordSearches } from './batch-word-searches.js';
import { createKeywordSource } from './keyword.js';
import { createMetadataSource } from './metadata.js';
import type { Source } from './source.js';
import { createTagOnlySource, createTrendingSource } from './trending.js';
import { createVectorSource } from './vector.js';

export type SourceDependencies = {
  readonly graph: GraphReader;
  readonly vectors: VectorIndexReader;
  readonly embedder: Embedder;
};

/** `fallback` is searched when the vector source is the only applicable one and fails. */
export function createSources({
  graph,
  vectors,
  embedder,
  timeoutMs,
}: SourceDependencies & { readonly timeoutMs: number }): {
  readonly sources: readonly Source[];
  readonly fallback: Source;
} {
  const batched = batchWordSearches(graph);
  const trending = createTrendingSource({ graph });
  const sources = [
    createVectorSource({ vectors, embedder, timeoutMs }),
    createKeywordSource({ graph: batched }),
    trending,
    createTagOnlySource({ graph }),
    createMetadataSource({ graph: batched }),
  ];
  return { sources, fallback: trending };
}
