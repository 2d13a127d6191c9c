/** Says in words that the vector index has no vector of the memories in the graph. Pure. */
import type { Observation } from './observe.js';

/** Events in flight and dead letters of the indexer explain missing vectors, so an index is empty only when they are fewer than the memories. */
export function emptyIndexProblem({ memories, vectors, inFlight, unindexed }: Observation): readonly string[] {
  if (memories === null || vectors !== 0 || inFlight === null || unindexed === null) return [];
  if (memories <= inFlight + unindexed) return [];
  return [
    `The vector index was emptied or replaced by an empty one: it has no vector, and the graph has memories (${memories}). ` +
      'Put the data of the index back, or write all points again with POST /admin/sync',
  ];
}
