/** The stage that lets newer results rise when the caller, or the query itself, asks for what is latest; pure. */
import type { RecallPlan } from './plan.js';
import { rankedByScore } from './place.js';
import type { SelectedResult } from './select.js';

export type Reranked = {
  readonly results: readonly SelectedResult[];
  /** Whether the order was up for change, also where equal times left it as it was. */
  readonly isReranked: boolean;
};

/** Adds `temporal`, 1 for the newest of the results and 0 for the oldest, with its weight to each score. Only for an order by score. */
export function rerankByRecency(
  results: readonly SelectedResult[],
  { recencyWeight, sort }: Pick<RecallPlan, 'recencyWeight' | 'sort'>,
): Reranked {
  if (recencyWeight === null || sort !== 'score' || results.length === 0) return { results, isReranked: false };
  const times = results.map(({ memory }) => Date.parse(memory.timestamp));
  const oldest = Math.min(...times);
  const spread = Math.max(...times) - oldest;
  if (!(spread > 0)) return { results, isReranked: true };
  const lifted = results.map((result, index) =>
    lift(result, ((times[index] ?? oldest) - oldest) / spread, recencyWeight),
  );
  return { results: rankedByScore(lifted), isReranked: true };
}

function lift(result: SelectedResult, temporal: number, weight: number): SelectedResult {
  return {
    ...result,
    score: result.score + weight * temporal,
    originalScore: result.originalScore ?? result.score,
    components: { ...result.components, temporal },
  };
}
