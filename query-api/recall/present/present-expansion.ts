/** Presents the expansion, pure: the blocks of the reply, and for each added memory how the expansion reached it. */
import type { HydratedCandidate } from '../candidate.js';
import type { Expansion } from '../expand/expand.js';
import { entityOf, isByAssociation } from '../expand/expansion-evidence.js';
import { leadingEvidence } from '../hydrate/evidence.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { relationScore } from '../score/score-candidates.js';
import { rounded } from './rounded.js';

type Found = Pick<HydratedCandidate, 'evidence' | 'replaces'>;

/** Counts the results of the reply, so that memories which a later stage removed do not count. */
export function presentExpansion(plan: RecallPlan, { seedCount, entitiesFound }: Expansion, results: readonly Found[]) {
  const { followsRelations, followsEntities, relationLimit, limit, respectsTags } = plan.expansion;
  const expansion = {
    enabled: true,
    seed_count: seedCount,
    expanded_count: results.filter(isByAssociation).length,
    relation_limit: relationLimit,
    expansion_limit: limit,
    respect_tags: respectsTags,
  };
  const byEntity = results.filter((result) => entityOf(result) !== null).length;
  return {
    ...(followsRelations ? { expansion } : {}),
    ...(followsEntities
      ? { entity_expansion: { enabled: true, expanded_count: byEntity, entities_found: entitiesFound } }
      : {}),
  };
}

/** The associations that led to a memory; null when none did. */
export function followedRelations(result: Found) {
  const followed = leadingEvidence(result).flatMap((found) => (found.source === 'relation' ? [found] : []));
  if (followed.length === 0) return null;
  return followed.map(({ type, strength, seed }) => ({
    type,
    strength,
    from: seed.id,
    seed_rank: seed.rank,
    seed_score: rounded(seed.score),
  }));
}

export function presentOrigin(result: Found) {
  const followed = followedRelations(result);
  const entity = entityOf(result);
  return {
    ...(followed ? { related_to: followed, relation_score: rounded(relationScore(leadingEvidence(result))) } : {}),
    ...(entity === null ? {} : { expanded_from_entity: entity }),
  };
}
