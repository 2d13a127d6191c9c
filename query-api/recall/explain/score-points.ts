/** Takes a score apart, pure: the points that each component brought, largest first. They add up to the score. */
import type { Scoring } from '../../config.js';
import type { ScoredCandidate } from '../candidate.js';

/** Less is the noise of floating point. */
const NOTHING = 1e-9;

/** Components that brought nothing are left out. `adjusted` is what later stages did to the score: a re-rank, or the weight of a query. */
export function scorePoints({ components, score }: Pick<ScoredCandidate, 'components' | 'score'>, weights: Scoring['weights']): Readonly<Record<string, number>> {
  const weighed = (Object.keys(weights) as (keyof Scoring['weights'])[]).map((name) => [name, weights[name] * components[name]] as const);
  const known = [...weighed, ['context', components.context] as const];
  const adjusted = known.reduce((left, [, points]) => left - points, score);
  const all = [...known, ['adjusted', adjusted] as const].filter(([, points]) => Math.abs(points) > NOTHING);
  return Object.fromEntries(all.sort(([, one], [, other]) => other - one));
}
