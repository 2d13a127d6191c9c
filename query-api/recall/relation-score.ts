/** What the associations that led to a memory say for it, pure: over all of them, strength times the importance of the result at the other end. */
import type { Evidence } from './candidate.js';

/** 0 without any; several strong ones may exceed 1, which the `relation` component does not. */
export function relationScore(evidence: readonly Evidence[]): number {
  return evidence.reduce(
    (sum, found) => (found.source === 'relation' ? sum + found.strength * found.seed.importance : sum),
    0,
  );
}
