/** The stage that drops by score once the answer is complete, pure: what is below the smallest score, and what is far below the best. */
import { floorOf } from './adaptive-floor.js';
import { placeOf } from './place.js';
import type { RecallPlan } from './plan.js';
import type { SelectedResult } from './select.js';

export type Filtered = {
  readonly results: readonly SelectedResult[];
  /** Null when it dropped nothing. */
  readonly floor: number | null;
  readonly filteredCount: number;
};

/**
 * The smallest score holds for what expansion added as well; what a search found was held to it before. The floor judges only what was
 * found, and only in an order by score: what the caller named and what expansion added have rules of their own.
 */
export function filterByScore(
  results: readonly SelectedResult[],
  { minScore, adaptiveFloor, sort }: Pick<RecallPlan, 'minScore' | 'adaptiveFloor' | 'sort'>,
): Filtered {
  const enough = results.filter(({ score }) => score >= minScore);
  const judged = adaptiveFloor && sort === 'score' ? enough.filter((result) => placeOf(result) === 'found') : [];
  const floor = floorOf(judged.map(({ score }) => score));
  const kept =
    floor === null ? enough : enough.filter((result) => result.score >= floor || placeOf(result) !== 'found');
  return { results: kept, floor, filteredCount: results.length - kept.length };
}
