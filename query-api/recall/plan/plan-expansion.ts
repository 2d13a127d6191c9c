/**
 * Plans the expansion of the results, pure: whether it follows associations and entities, how far, and which memories
 * it may add.
 */
import type { RecallQuery } from '../../../shared/contract/queries/recall-query.js';
import type { RecallConfig } from '../../config.js';

export type ExpansionPlan = {
  readonly followsRelations: boolean;
  readonly followsEntities: boolean;
  /** The most associations followed from each result. */
  readonly relationLimit: number;
  /** The most memories added in total. */
  readonly limit: number;
  readonly minImportance: number;
  readonly minStrength: number;
  readonly respectsTags: boolean;
};

/** The edge already checked the ranges of the parameters. */
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
