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
      const query: { readonly vector: Float32Array; readonly model?: string } =
        plan.embedding === null ? await stage('encode', () => embed(plan.text ?? '')) : { vector: plan.embedding };
      return hitsOfPasses(
        plan,
        ({ filter, limits }) => vectors.search({ ...query, filter, limit: limits.vector }),
        ({ id, similarity }) => ({ id, evidence: { source: 'vector', similarity } }),
      );
    },
  };
}
