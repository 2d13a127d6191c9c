/** What the answer says of its last stages, pure: what they dropped, filled and reordered. Each part only where its stage had something to do. */
import type { Budget } from './fit-budget.js';
import type { RecallPlan } from './plan.js';
import type { Selected } from './select.js';

export type Ending = {
  readonly isReranked: boolean;
  readonly floor: number | null;
  /** Beside those that `select` dropped. */
  readonly filteredCount: number;
  readonly isFilled: boolean;
  readonly budget: Budget | null;
};

type Ended = { readonly plan: Pick<RecallPlan, 'minScore'>; readonly selected: Selected; readonly ending: Ending };

export function endingReply({ plan: { minScore }, selected, ending }: Ended) {
  const { isReranked, floor, filteredCount, isFilled, budget } = ending;
  const scoreFilter = {
    min_score: minScore > 0 ? minScore : null,
    adaptive_floor: floor === null ? null : Number(floor.toFixed(6)),
    filtered_count: selected.filteredCount + filteredCount,
  };
  return {
    ...(minScore > 0 || floor !== null ? { score_filter: scoreFilter } : {}),
    ...(isReranked ? { recency_bias: 'on' } : {}),
    ...(isFilled ? { scope_fallback: true } : {}),
    ...(budget
      ? { budget: { max_tokens: budget.maxTokens, estimated_tokens: budget.estimatedTokens, omitted: budget.omitted } }
      : {}),
  };
}
