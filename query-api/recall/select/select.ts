/** The select stage: merges the searches, adds memories for the caller's context, and selects the results. */
import type { GraphReader } from '../../../shared/graph/graph.js';
import type { Scoring } from '../../config.js';
import type { ScoredCandidate } from '../candidate.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import type { ScoredSearch } from '../score/score.js';
import type { ScoreCandidates } from '../score/score-candidates.js';
import type { Stage } from '../stage-times.js';
import { createInjectPriority } from './inject-priority.js';
import { type MergedSearches, mergeSearches } from './merge-searches.js';
import { type Selected, selectResults } from './select-results.js';

type Dependencies = {
  readonly graph: GraphReader;
  readonly config: { readonly scoring: Scoring };
  readonly score: ScoreCandidates;
};

export type Selection = Omit<MergedSearches, 'candidates'> & {
  /** Every scored candidate from which the results were selected. */
  readonly pool: readonly ScoredCandidate[];
  readonly selected: Selected;
};

export function createSelect({
  graph,
  config,
  score,
}: Dependencies): (found: readonly ScoredSearch[], plan: RecallPlan, stage: Stage) => Promise<Selection> {
  const injectPriority = createInjectPriority({ graph, score });
  return async (found, plan, stage) => {
    const { candidates, ...merged } = mergeSearches(found, plan, config.scoring.weights);
    const pool = await stage('expand', () => injectPriority(candidates, plan));
    return { ...merged, pool, selected: stage('score', () => selectResults(pool, plan)) };
  };
}
