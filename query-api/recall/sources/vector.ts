/** Candidates by meaning: the memories whose vectors are nearest to the query's, or to the caller's own embedding. */
import type { Embedder } from '../../../shared/embedding/embedder.js';
import type { VectorIndexReader } from '../../../shared/vectors/vectors.js';
import { embedTogether } from './embed-together.js';
import { hitsOfPasses, type Source } from './source.js';

type Dependencies = { readonly vectors: VectorIndexReader; readonly embedder: Embedder };

export function createVectorSource({ vectors, embedder }: Dependencies): Source {
  const embed = embedTogether(embedder);
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
