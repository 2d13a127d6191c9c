/** The select stage: merges the searches, adds memories for the caller's context, and selects the results. */
import type { GraphReader } from '../../../shared/ports/graph.js';
import type { Scoring } from '../../config.js';
import type { AddCandidates } from '../add-candidates.js';
import type { ScoredCandidate } from '../candidate.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import type { ScoredSearch } from '../score/score-search.js';
import { createInjectPriority } from './inject-priority.js';
import { type MergedSearches, mergeSearches } from './merge-searches.js';
import { type Selected, selectResults } from './select-results.js';

type Dependencies = {
  readonly graph: GraphReader;
  readonly config: { readonly scoring: Scoring };
  readonly addCandidates: AddCandidates;
};

export type Selection = Omit<MergedSearches, 'candidates'> & {
  /** Every scored candidate from which the results were selected. */
  readonly pool: readonly ScoredCandidate[];
  readonly selected: Selected;
};

export function createSelect({
  graph,
  config,
  addCandidates,
}: Dependencies): (found: readonly ScoredSearch[], plan: RecallPlan) => Promise<Selection> {
  const injectPriority = createInjectPriority({ graph, addCandidates });
  return async (found, plan) => {
    const { candidates, ...merged } = mergeSearches(found, plan, config.scoring.weights);
    const pool = await injectPriority(candidates, merged.scoredSearches, plan);
    return { ...merged, pool, selected: selectResults(pool, plan) };
  };
}
