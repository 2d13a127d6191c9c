/** The score of the contract, pure: the sum of component times weight, and the two bonuses of the reference. */
import { oncePerObject } from '../../../shared/kernel/once-per-object.js';
import type { Scoring } from '../../config.js';
import type { Components } from '../candidate.js';

const entriesOf = oncePerObject(
  (weights: Scoring['weights']) => Object.entries(weights) as [keyof Scoring['weights'], number][],
);

export function weightedSum(components: Components, weights: Scoring['weights']): number {
  return entriesOf(weights).reduce(
    (total, [name, weight]) => total + weight * components[name],
    components.context + (components.entity_expansion ?? 0),
  );
}
