/** Finds the memories whose vectors are nearest to the vector of a stored memory. */
import { NO_CONDITIONS } from '../../shared/contract/filter.js';
import type { SEMANTIC_OUTCOMES } from '../../shared/contract/graph-views/neighbours.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import { type Clock, formatTimestamp } from '../../shared/kernel/clock.js';
import { DeadlineError, DependencyError, ValidationError } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { VectorHit, VectorIndexReader } from '../../shared/ports/vectors.js';
import { rounded } from '../recall/present/rounded.js';

export type Similar = {
  /** Best first. */
  readonly hits: readonly VectorHit[];
  readonly outcome: Exclude<(typeof SEMANTIC_OUTCOMES)[number], 'off'>;
};
export type ReadSimilar = (id: MemoryId, limit: number) => Promise<Similar>;

type Dependencies = {
  readonly vectors: Pick<VectorIndexReader, 'vectors' | 'search'>;
  /** Memories of these types are in no answer. */
  readonly excludedTypes: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
};

/** Never rejects because of the index: the caller then has the part of its answer that the graph gives. */
export function createReadSimilar({ vectors, excludedTypes, clock, logger }: Dependencies): ReadSimilar {
  return async (id, limit) => {
    try {
      const vector = (await vectors.vectors([id])).get(id);
      if (vector === undefined) return { hits: [], outcome: 'no_vector' };
      const found = await vectors.search({
        vector,
        limit: limit + 1, // the memory itself is the nearest
        filter: {
          ...NO_CONDITIONS,
          excludedTypes,
          state: 'unarchived',
          now: formatTimestamp(clock.now()),
        },
      });
      const others = found.filter((hit) => hit.id !== id).slice(0, limit);
      return { hits: others.map((hit) => ({ ...hit, similarity: rounded(hit.similarity, 4) })), outcome: 'searched' };
    } catch (error) {
      if (!isOfIndex(error)) throw error;
      logger.warn({ err: error, subject: id }, 'memories with a similar meaning not read');
      return { hits: [], outcome: 'unavailable' };
    }
  };
}

/**
 * A switch of the index between the two calls gives the vector of one model to the index of another, which rejects it.
 */
function isOfIndex(error: unknown): boolean {
  return error instanceof DependencyError || error instanceof DeadlineError || error instanceof ValidationError;
}
