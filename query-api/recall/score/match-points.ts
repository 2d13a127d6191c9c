/** The score of the contract, and the points of it that depend on the query, pure. */
import { oncePerObject } from '../../../shared/kernel/once-per-object.js';
import type { Scoring } from '../../config.js';
import type { Components, ScoredCandidate } from '../candidate.js';

const entriesOf = oncePerObject(
  (weights: Scoring['weights']) => Object.entries(weights) as [keyof Scoring['weights'], number][],
);

/** The sum of component times weight, and the two bonuses of the reference. */
export function weightedSum(components: Components, weights: Scoring['weights']): number {
  return entriesOf(weights).reduce(
    (total, [name, weight]) => total + weight * components[name],
    components.context + (components.entity_expansion ?? 0),
  );
}

/** The components that say whether a memory answers. The others rate the memory itself. */
export const MATCH_COMPONENTS = ['vector', 'keyword', 'metadata', 'exact', 'tag', 'relation'] as const;

export function matchPoints(components: Components, weights: Scoring['weights']): number {
  return MATCH_COMPONENTS.reduce((points, name) => points + weights[name] * components[name], 0);
}

/** The candidate when a match counts only `share`, 0 to 1: so the scores of several searches are on one scale. */
export function weighedMatch<C extends ScoredCandidate>(candidate: C, share: number, weights: Scoring['weights']): C {
  if (share === 1) return candidate;
  const weighed = Object.fromEntries(MATCH_COMPONENTS.map((name) => [name, share * candidate.components[name]]));
  const components: Components = { ...candidate.components, ...weighed };
  return { ...candidate, components, score: weightedSum(components, weights) };
}
