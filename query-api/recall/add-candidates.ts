/**
 * Adds candidates to a recall after its searches: reads them from the graph and scores them as if the searches had
 * found them. The only way from select, expand and rank back to hydrate and score.
 */
import type { GraphReader } from '../../shared/ports/graph.js';
import type { Candidate, HydratedCandidate, ScoredCandidate } from './candidate.js';
import { readCandidates } from './hydrate/read-candidates.js';
import { type Resolved, resolveStates } from './hydrate/resolve-states.js';
import type { RecallPlan } from './plan/recall-plan.js';
import { createAddedScorer, type ScoreDependencies, type ScoredSearch } from './score/score-search.js';

export type Addition = {
  readonly candidates: readonly Candidate[];
  /** The searches whose queries and pools score the memories. */
  readonly searches: readonly ScoredSearch[];
  /** Chooses the memories to score from those that the filter and the states of the plan admit. */
  readonly choose: (current: readonly HydratedCandidate[]) => readonly HydratedCandidate[];
};

export type Added = Pick<Resolved, 'suppressed'> & { readonly scored: readonly ScoredCandidate[] };

export type AddCandidates = (addition: Addition, plan: RecallPlan) => Promise<Added>;

/** One round trip. */
export function createAddCandidates({
  graph,
  ...dependencies
}: ScoreDependencies & { readonly graph: GraphReader }): AddCandidates {
  const score = createAddedScorer(dependencies);
  return async ({ candidates, searches, choose }, plan) => {
    const { current, suppressed } = await resolveStates(graph, await readCandidates(graph, candidates, plan), plan);
    return { scored: score(choose(current), searches), suppressed };
  };
}
