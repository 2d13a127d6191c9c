/** The stage that follows the associations of the results, in both directions: one round trip for all results, then what admitting takes. */
import { AUTHORABLE_TYPES } from '../../shared/contract/association.js';
import type { GraphReader } from '../../shared/graph/graph.js';
import type { AdmitExpanded, Admitted, Reached } from './admit-expanded.js';
import { neighboursOf } from './neighbours.js';
import type { RecallPlan } from './plan.js';

type Dependencies = { readonly graph: GraphReader; readonly admit: AdmitExpanded };

export type ExpandRelations = (reachedFrom: Omit<Reached, 'candidates'>, plan: RecallPlan) => Promise<Admitted>;

/** Only what callers said themselves is followed: derived associations connect nearly everything. */
export function createExpandRelations({ graph, admit }: Dependencies): ExpandRelations {
  return async (reachedFrom, plan) => {
    const { minStrength, relationLimit } = plan.expansion;
    const ids = reachedFrom.shown.map(({ memory }) => memory.id);
    const relations = await graph.relations({ ids, direction: 'both', types: AUTHORABLE_TYPES, minStrength, limit: relationLimit });
    return admit({ ...reachedFrom, candidates: neighboursOf(reachedFrom.shown, relations) }, plan);
  };
}
