/** The stage that drops what is far below the best, pure: the floor is where the scores fall steeply. Only for an order by score. */
import { placeOf } from './place.js';
import type { RecallPlan } from './plan.js';
import type { SelectedResult } from './select.js';

const STEEP = 0.25;
/** With so many results or fewer, all are shown. */
const ALWAYS_KEPT = 3;

export type Floored = {
  readonly results: readonly SelectedResult[];
  /** Null when it dropped nothing. */
  readonly floor: number | null;
  readonly filteredCount: number;
};

/** Judges what was found; what the caller named and what expansion added have rules of their own. */
export function applyAdaptiveFloor(results: readonly SelectedResult[], { adaptiveFloor, sort }: Pick<RecallPlan, 'adaptiveFloor' | 'sort'>): Floored {
  const judged = adaptiveFloor && sort === 'score' ? results.filter((result) => placeOf(result) === 'found') : [];
  const floor = floorOf(judged.map(({ score }) => score));
  if (floor === null) return { results, floor, filteredCount: 0 };
  const kept = results.filter((result) => result.score >= floor || placeOf(result) !== 'found');
  return { results: kept, floor, filteredCount: results.length - kept.length };
}

/**
 * The score right below the widest gap within the upper half, when the gap is more than a quarter of the best score and at least half
 * of the scores are not below that; null when nothing is to be dropped.
 */
export function floorOf(scores: readonly number[]): number | null {
  if (scores.length <= ALWAYS_KEPT) return null;
  const sorted = [...scores].sort((one, other) => other - one);
  const best = sorted[0] ?? 0;
  const upper = sorted.slice(1, Math.max(ALWAYS_KEPT, Math.floor(sorted.length / 2)));
  const gaps = upper.map((score, index) => ({ score, gap: (sorted[index] ?? score) - score }));
  const widest = gaps.reduce((one, other) => (other.gap > one.gap ? other : one));
  if (widest.gap <= STEEP * best) return null;
  const surviving = sorted.filter((score) => score >= widest.score).length;
  return surviving < sorted.length && surviving >= Math.ceil(sorted.length / 2) ? widest.score : null;
}
