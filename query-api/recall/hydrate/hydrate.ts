/** The hydrate stage: reads the candidates of every search from the graph and resolves their states. */
import type { GraphReader } from '../../../shared/ports/graph.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import type { Retrieved } from '../retrieve/retrieve.js';
import { readSearchCandidates } from './read-candidates.js';
import { type Resolved, resolveStates } from './resolve-states.js';

/** The result of one search. */
export type Hydrated = Omit<Retrieved, 'candidates'> & Resolved;

/** One result per search, in their order. All searches share one round trip per 1,000 candidates. */
export function createHydrate(
  graph: GraphReader,
): (retrieved: readonly Retrieved[], plan: RecallPlan) => Promise<readonly Hydrated[]> {
  return async (retrieved, plan) => {
    const read = await readSearchCandidates(graph, retrieved, plan);
    return Promise.all(
      read.map(async ({ search, hits, degraded, ...candidates }) => ({
        search,
        hits,
        degraded,
        ...(await resolveStates(graph, candidates, search)),
      })),
    );
  };
}
