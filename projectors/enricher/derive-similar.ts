/** Derives SIMILAR_TO associations: from a memory to its nearest neighbours by embedding. */
import type { DerivedAssociation } from '../../shared/contract/association.js';
import { NO_CONDITIONS } from '../../shared/contract/filter.js';
import type { MemoryId, Timestamp } from '../../shared/contract/memory.js';
import type { VectorIndexReader } from '../../shared/ports/vectors.js';

export type SimilarityConfig = {
  /** Largest number of neighbours. */ readonly limit: number;
  /** Smallest cosine similarity of a neighbour. */ readonly threshold: number;
};

/** Similarities are rounded, because the engines differ in the last digits of a float. */
const SCORE_STEPS = 1e6;

export async function deriveSimilar({
  vectors,
  id,
  vector,
  model,
  now,
  config: { limit, threshold },
}: {
  readonly vectors: Pick<VectorIndexReader, 'search'>;
  readonly id: MemoryId;
  readonly vector: Float32Array;
  readonly model: string;
  readonly now: Timestamp;
  readonly config: SimilarityConfig;
}): Promise<readonly DerivedAssociation[]> {
  if (limit === 0) return [];
  const filter = {
    ...NO_CONDITIONS,
    excludedTypes: ['MetaPattern'],
    state: 'unarchived',
    now,
  } as const;
  const hits = await vectors.search({ vector, model, limit: limit + 1, filter }); // one hit is the memory itself
  return hits
    .filter((hit) => hit.id !== id && hit.similarity >= threshold)
    .slice(0, limit)
    .map(({ id: target, similarity }) => {
      const score = Math.min(1, Math.round(similarity * SCORE_STEPS) / SCORE_STEPS);
      return { target, type: 'SIMILAR_TO', strength: Math.max(0, score), properties: { score } };
    });
}
