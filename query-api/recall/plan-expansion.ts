/** What a recall adds to its results, pure: whether associations and entities are followed, how far, and what may come of it. */
import type { RecallQuery } from '../../shared/contract/queries.js';
import type { RecallConfig } from '../config.js';

export type ExpansionPlan = {
  readonly followsRelations: boolean;
  readonly followsEntities: boolean;
  /** Associations followed from each result. */
  readonly relationLimit: number;
  /** Memories that are added in all. */
  readonly limit: number;
  readonly minImportance: number;
  readonly minStrength: number;
  readonly respectsTags: boolean;
};

/** The ranges were applied where the parameters were read. */
export function planExpansion(request: RecallQuery, { relationLimit, expansionLimit }: RecallConfig): ExpansionPlan {
  return {
    followsRelations: request.expand_relations ?? false,
    followsEntities: request.expand_entities ?? false,
    relationLimit: request.relation_limit ?? relationLimit,
    limit: request.expansion_limit ?? expansionLimit,
    minImportance: request.expand_min_importance ?? 0,
    minStrength: request.expand_min_strength ?? 0,
    respectsTags: request.expand_respect_tags ?? false,
  };
}
