/** Candidates by meaning: the memories whose vectors are nearest to the query's, or to the caller's own embedding. */
import type { Embedder } from '../../../shared/embedding/embedder.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import type { VectorIndexReader } from '../../../shared/vectors/vectors.js';
import type { RecallPlan } from '../plan.js';
import { searchPasses, type Source } from './source.js';

type Dependencies = { readonly vectors: VectorIndexReader; readonly embedder: Embedder };

export function createVectorSource({ vectors, embedder }: Dependencies): Source {
  return {
    name: 'vector',
    applies: (plan) => plan.embedding !== null || plan.text !== null,
    async search(plan) {
      const vector = plan.embedding ?? (await embed(embedder, plan));
      const hits = await searchPasses(plan, ({ filter, limits }) => vectors.search({ vector, filter, limit: limits.vector }));
      return hits.map(({ id, similarity }) => ({ id, evidence: { source: 'vector', similarity } }));
    },
  };
}

async function embed(embedder: Embedder, { text }: RecallPlan): Promise<Float32Array> {
  const [vector] = await embedder.embed([text ?? ''], { purpose: 'query' });
  if (!vector) throw new DependencyError('embedding', 'The encoder gave no vector for the query: try again');
  return vector;
}
