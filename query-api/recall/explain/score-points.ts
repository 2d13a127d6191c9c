/** Takes a score apart, pure: the points that each component brought, largest first. They add up to the score. */
import type { Scoring } from '../../config.js';
import type { ScoredCandidate } from '../candidate.js';

/** Less is the noise of floating point. */
const NOTHING = 1e-9;

/** Components that brought nothing are left out. `adjusted` is what later stages did to the score: a re-rank, or the weight of a query. */
export function scorePoints(
  { components, score }: Pick<ScoredCandidate, 'components' | 'score'>,
  { weights, surroundings }: Scoring,
): Readonly<Record<string, number>> {
  const known: readonly (readonly [string, number])[] = [
    ...namesOf(weights).map((name) => [name, weights[name] * (components[name] ?? 0)] as const),
    ...namesOf(surroundings).map(
      (name) => [name, (name === 'question' ? -1 : 1) * surroundings[name] * (components[name] ?? 0)] as const,
    ),
    ['context', components.context],
    ['entity_expansion', components.entity_expansion ?? 0],
  ];
  const adjusted = known.reduce((left, [, points]) => left - points, score);
  const all = [...known, ['adjusted', adjusted] as const].filter(([, points]) => Math.abs(points) > NOTHING);
  return Object.fromEntries(all.sort(([, one], [, other]) => other - one));
}

function namesOf<T extends object>(weights: T): readonly (keyof T & string)[] {
  return Object.keys(weights) as (keyof T & string)[];
}
