/**
 * Finds candidates by meaning: the memories whose vectors are nearest to the vector of the query, or to the caller's
 * embedding.
 */
import type { Embedder } from '../../../../shared/ports/embedder.js';
import type { VectorIndexReader } from '../../../../shared/ports/vectors.js';
import type { RecallPlan } from '../../plan/recall-plan.js';
import type { Stage } from '../../stage-times.js';
import { batchEmbeddings } from './batch-embeddings.js';
import { hitsOfPasses, type Source } from './source.js';

type Dependencies = { readonly vectors: VectorIndexReader; readonly embedder: Embedder; readonly timeoutMs: number };

export function createVectorSource({ vectors, embedder, timeoutMs }: Dependencies): Source {
  const embed = batchEmbeddings(embedder, { timeoutMs });

  async function queryVector(
    { embedding, text }: RecallPlan,
    stage: Stage,
  ): Promise<{ readonly vector: Float32Array; readonly model?: string }> {
    return embedding === null ? stage('encode', () => embed(text ?? '')) : { vector: embedding };
  }

  return {
    name: 'vector',
    readsIndex: true,
    applies: (plan) => plan.embedding !== null || plan.text !== null,
    async search(plan, { stage, awaitIndex }) {
      const [query] = await Promise.all([queryVector(plan, stage), awaitIndex()]);
      return hitsOfPasses(
        plan,
        ({ filter, limits }) => vectors.search({ ...query, filter, limit: limits.vector }),
        ({ id, similarity }) => ({ id, evidence: { source: 'vector', similarity } }),
      );
    },
  };
}
