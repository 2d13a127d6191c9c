/** Every source of candidates that recall has. A new one is added here and nowhere else. */
import type { Embedder } from '../../../shared/embedding/embedder.js';
import type { GraphReader } from '../../../shared/graph/graph.js';
import type { VectorIndexReader } from '../../../shared/vectors/vectors.js';
import { createKeywordSource } from './keyword.js';
import { createMetadataSource } from './metadata.js';
import { searchTogether } from './search-together.js';
import type { Source } from './source.js';
import { createTagOnlySource } from './tag-only.js';
import { createTrendingSource } from './trending.js';
import { createVectorSource } from './vector.js';

export type SourceDependencies = {
  readonly graph: GraphReader;
  readonly vectors: VectorIndexReader;
  readonly embedder: Embedder;
};

/** `fallback` answers when vectors alone were to be asked and cannot be. */
export function createSources({ graph, vectors, embedder }: SourceDependencies): {
  readonly sources: readonly Source[];
  readonly fallback: Source;
} {
  const words = searchTogether(graph);
  const trending = createTrendingSource({ graph });
  const sources = [
    createVectorSource({ vectors, embedder }),
    createKeywordSource({ graph: words }),
    trending,
    createTagOnlySource({ graph }),
    createMetadataSource({ graph: words }),
  ];
  return { sources, fallback: trending };
}
