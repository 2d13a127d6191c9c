/**
 * Finds candidates by meaning: the memories whose vectors are nearest to the vector of the query, or to the caller's
 * embedding.
 */
import type { Embedder } from '../../../../shared/embedding/embedder.js';
import type { VectorIndexReader } from '../../../../shared/vectors/vectors.js';
import { batchEmbeddings } from './batch-embeddings.js';
import { hitsOfPasses, type Source } from './source.js';

type Dependencies = { readonly vectors: VectorIndexReader; readonly embedder: Embedder; readonly timeoutMs: number };

export function createVectorSource({ vectors, embedder, timeoutMs }: Dependencies): Source {
  const embed = batchEmbeddings(embedder, { timeoutMs });
  return {
    name: 'vector',
    applies: (plan) => plan.embedding !== null || plan.text !== null,
    async search(plan, stage) {
      const vector = plan.embedding ?? (await stage('encode', () => embed(plan.text ?? '')));
      return hitsOfPasses(
        plan,
        ({ filter, limits }) => vectors.search({ vector, filter, limit: limits.vector }),
        ({ id, similarity }) => ({ id, evidence: { source: 'vector', similarity } }),
      );
    },
  };
}
