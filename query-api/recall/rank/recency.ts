/** Ranks newer results higher when the caller or the query asks for the latest memories, pure. */
import type { RecallPlan } from '../plan/recall-plan.js';
import type { SelectedResult } from '../select/select-results.js';
import { rankedByScore } from './sections.js';

export type Reranked = {
  readonly results: readonly SelectedResult[];
  /** Whether reranking applied, also when equal timestamps left the order unchanged. */
  readonly isReranked: boolean;
};

/**
 * Adds the weighted component `temporal` to each score: 1 for the newest result, 0 for the oldest. Only for an order by
 * score.
 */
export function rerankByRecency(
  results: readonly SelectedResult[],
  { recencyWeight, sort }: Pick<RecallPlan, 'recencyWeight' | 'sort'>,
): Reranked {
  if (recencyWeight === null || sort !== 'score' || results.length === 0) return { results, isReranked: false };
  const times = results.map(({ memory }) => Date.parse(memory.timestamp));
  const oldest = Math.min(...times);
  const spread = Math.max(...times) - oldest;
  if (!(spread > 0)) return { results, isReranked: true };
  const raised = results.map((result, index) =>
    raise(result, ((times[index] ?? oldest) - oldest) / spread, recencyWeight),
  );
  return { results: rankedByScore(raised), isReranked: true };
}

function raise(result: SelectedResult, temporal: number, weight: number): SelectedResult {
  return {
    ...result,
    score: result.score + weight * temporal,
    originalScore: result.originalScore ?? result.score,
    components: { ...result.components, temporal },
  };
}
