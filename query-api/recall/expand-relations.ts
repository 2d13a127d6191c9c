/** The stage that follows the associations of the results, in both directions: one round trip for all results, then what admitting takes. */
import { AUTHORABLE_TYPES } from '../../shared/contract/association.js';
import type { GraphReader } from '../../shared/graph/graph.js';
import type { AdmitExpanded, Admitted, Reached } from './admit-expanded.js';
import { neighboursOf } from './neighbours.js';
import type { RecallPlan } from './plan.js';

/** Of all results together: beyond 50 results with the largest `relation_limit`, each gets its even share. */
const FOLLOWED_AT_MOST = 10_000;

type Dependencies = { readonly graph: GraphReader; readonly admit: AdmitExpanded };

export type ExpandRelations = (reachedFrom: Omit<Reached, 'candidates'>, plan: RecallPlan) => Promise<Admitted>;

/** Only what callers said themselves is followed: derived associations connect nearly everything. */
export function createExpandRelations({ graph, admit }: Dependencies): ExpandRelations {
  return async (reachedFrom, plan) => {
    const { minStrength, relationLimit } = plan.expansion;
    const ids = reachedFrom.shown.map(({ memory }) => memory.id);
    const limit = Math.min(relationLimit, Math.floor(FOLLOWED_AT_MOST / ids.length));
    const { excludedTypes } = plan.filter;
    const relations = await graph.relations({
      ids,
      direction: 'both',
      types: AUTHORABLE_TYPES,
      minStrength,
      excludedTypes,
      limit,
    });
    return admit({ ...reachedFrom, candidates: neighboursOf(reachedFrom.shown, relations) }, plan);
  };
}
