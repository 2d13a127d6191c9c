/** Drops results by score, pure: results below `min_score`, and results far below the best. */
import type { RecallPlan } from '../plan/recall-plan.js';
import type { SelectedResult } from '../select/select-results.js';
import { sectionOf } from './sections.js';

export type Filtered = {
  readonly results: readonly SelectedResult[];
  /** Null when the floor dropped no result. */
  readonly floor: number | null;
  readonly filteredCount: number;
};

/**
 * `min_score` applies to the results that the expansion added as well; results of the search already passed it. The
 * adaptive floor applies only to results of the search and only in an order by score; named and expanded results have
 * rules of their own.
 */
export function filterByScore(
  results: readonly SelectedResult[],
  { minScore, adaptiveFloor, sort }: Pick<RecallPlan, 'minScore' | 'adaptiveFloor' | 'sort'>,
): Filtered {
  const aboveMinScore = results.filter(({ score }) => score >= minScore);
  const searchResults =
    adaptiveFloor && sort === 'score' ? aboveMinScore.filter((result) => sectionOf(result) === 'found') : [];
  const floor = scoreFloor(searchResults.map(({ score }) => score));
  const kept =
    floor === null
      ? aboveMinScore
      : aboveMinScore.filter((result) => result.score >= floor || sectionOf(result) !== 'found');
  return { results: kept, floor, filteredCount: results.length - kept.length };
}

const STEEP_GAP = 0.25;
/** Three results or fewer are all kept. */
const ALWAYS_KEPT = 3;

/**
 * The lowest score to keep: the score after the widest gap in the upper half, when the gap is more than a quarter of
 * the best score and at least half of the scores remain. Null when no score is dropped.
 */
export function scoreFloor(scores: readonly number[]): number | null {
  if (scores.length <= ALWAYS_KEPT) return null;
  const sorted = [...scores].sort((one, other) => other - one);
  const best = sorted[0] ?? 0;
  const upper = sorted.slice(1, Math.max(ALWAYS_KEPT, Math.floor(sorted.length / 2)));
  const gaps = upper.map((score, index) => ({ score, gap: (sorted[index] ?? score) - score }));
  const widest = gaps.reduce((one, other) => (other.gap > one.gap ? other : one));
  if (widest.gap <= STEEP_GAP * best) return null;
  const surviving = sorted.filter((score) => score >= widest.score).length;
  return surviving < sorted.length && surviving >= Math.ceil(sorted.length / 2) ? widest.score : null;
}
