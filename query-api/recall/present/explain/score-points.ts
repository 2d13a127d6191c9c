/** Splits a score into the points of each component, pure, largest first. The sum is the score. */
import type { Scoring } from '../../../config.js';
import type { ScoredCandidate } from '../../candidate.js';
import { signedWeight } from '../../score/signals/signals.js';

/** Smaller values are floating point noise. */
const NOISE = 1e-9;

/**
 * Leaves out components without points. `adjusted` is the change by later stages: a rerank, or the weight of a query.
 */
export function scorePoints(
  { components, score }: Pick<ScoredCandidate, 'components' | 'score'>,
  { weights, signals }: Scoring,
): Readonly<Record<string, number>> {
  const known: readonly (readonly [string, number])[] = [
    ...namesOf(weights).map((name) => [name, weights[name] * (components[name] ?? 0)] as const),
    ...namesOf(signals).map((name) => [name, signedWeight(name, signals) * (components[name] ?? 0)] as const),
    ['context', components.context],
    ['entity_expansion', components.entity_expansion ?? 0],
    ['succession', components.succession ?? 0],
  ];
  const adjusted = known.reduce((left, [, points]) => left - points, score);
  const all = [...known, ['adjusted', adjusted] as const].filter(([, points]) => Math.abs(points) > NOISE);
  return Object.fromEntries(all.sort(([, one], [, other]) => other - one));
}

function namesOf<T extends object>(weights: T): readonly (keyof T & string)[] {
  return Object.keys(weights) as (keyof T & string)[];
}
