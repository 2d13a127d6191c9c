/** Finds where the scores of an answer fall steeply, pure: below that, nothing is like the best any more. */
const STEEP = 0.25;
/** With so many results or fewer, all are shown. */
const ALWAYS_KEPT = 3;

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
