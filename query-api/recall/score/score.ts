/** The score stage: scores the candidates of every search, and searches a second time from the best of them. */
import type { Hydrated } from '../hydrate/hydrate.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import type { Stage } from '../stage-times.js';
import { createFollow, type FollowDependencies } from './follow/follow.js';
import { createSearchScorer, type ScoredSearch } from './score-search.js';

/** One result per search, in their order. */
export function createScore(
  dependencies: FollowDependencies,
): (hydrated: readonly Hydrated[], plan: RecallPlan, stage: Stage) => Promise<readonly ScoredSearch[]> {
  const score = createSearchScorer(dependencies);
  const follow = createFollow(dependencies);
  return async (hydrated, plan, stage) => {
    const scored = hydrated.map(({ current, ...result }) => ({ ...result, scored: score(current, result.search) }));
    return follow(scored, plan, stage);
  };
}
