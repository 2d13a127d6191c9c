/**
 * Presents the rank stage, pure: what it dropped, filled and reordered. A block is present only when its step had an
 * effect.
 */
import type { ReplyOf } from '../../../shared/contract/operations.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import type { RankingReport } from '../rank/rank.js';
import type { Selected } from '../select/select-results.js';
import { rounded } from './rounded.js';

type Outcome = {
  readonly plan: Pick<RecallPlan, 'minScore' | 'minProbability' | 'coversDays'>;
  readonly selected: Selected;
  readonly ranking: RankingReport;
};

export function presentRanking({
  plan: { minScore, minProbability, coversDays },
  selected,
  ranking,
}: Outcome): Pick<ReplyOf<'recall'>, 'score_filter' | 'recency_bias' | 'day_coverage' | 'scope_fallback' | 'budget'> {
  const { isReranked, floor, filteredCount, isFilled, budget } = ranking;
  const scoreFilter = {
    min_score: minScore > 0 ? minScore : null,
    ...(minProbability > 0 ? { min_probability: minProbability } : {}),
    adaptive_floor: floor === null ? null : rounded(floor),
    filtered_count: selected.filteredCount + filteredCount,
  };
  return {
    ...(minScore > 0 || minProbability > 0 || floor !== null ? { score_filter: scoreFilter } : {}),
    ...(isReranked ? { recency_bias: 'on' } : {}),
    ...(coversDays ? { day_coverage: 'on' } : {}),
    ...(isFilled ? { scope_fallback: true } : {}),
    ...(budget
      ? { budget: { max_tokens: budget.maxTokens, estimated_tokens: budget.estimatedTokens, omitted: budget.omitted } }
      : {}),
  };
}
