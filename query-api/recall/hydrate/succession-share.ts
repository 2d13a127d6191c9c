/**
 * Determines the share of a memory's match that its successor takes over, pure. The successor need not repeat the words
 * of the memory that it replaces ("The password is on the fridge", then "Ask Dana"), but it can also be about something
 * else ("Moved to the wiki"). So the share is below 1: a memory that matches as well by its own words ranks higher.
 */
import type { SupersedingType } from '../../../shared/contract/association.js';
import type { Succession } from '../../../shared/ports/graph.js';

/** A memory that evolved keeps its topic. A memory can be invalidated by one about another topic. */
const TYPE_SHARES: Readonly<Record<SupersedingType, number>> = { EVOLVED_INTO: 0.95, INVALIDATED_BY: 0.85 };

/** Half of a share does not depend on the strength, because a weak association replaces a memory as well. */
const FIXED_PART = 0.5;

/** From 0 to 1. The step with the smallest share decides for the whole chain. */
export function successionShare(chain: readonly Pick<Succession, 'type' | 'strength'>[]): number {
  return Math.min(...chain.map(({ type, strength }) => TYPE_SHARES[type] * (FIXED_PART + (1 - FIXED_PART) * strength)));
}
