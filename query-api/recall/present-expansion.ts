/** What the answer says of its expansion, pure: the blocks on top, and for each added memory how it was reached. */
import { entityOf, isByRelation } from './expanded.js';
import type { Evidence } from './candidate.js';
import type { Expansion } from './expand.js';
import type { RecallPlan } from './plan.js';
import { relationScore } from './relation-score.js';

type Found = { readonly evidence: readonly Evidence[] };

/** Counts what the answer shows, so that later cuts are told as well. */
export function presentExpansion(plan: RecallPlan, { seedCount, entitiesFound }: Expansion, results: readonly Found[]) {
  const { followsRelations, followsEntities, relationLimit, limit, respectsTags } = plan.expansion;
  const expansion = {
    enabled: true,
    seed_count: seedCount,
    expanded_count: results.filter(isByRelation).length,
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

/** The associations that were followed to a memory; null for one that none led to. */
export function followedRelations({ evidence }: Found) {
  const followed = evidence.flatMap((found) => (found.source === 'relation' ? [found] : []));
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
    ...(followed ? { related_to: followed, relation_score: rounded(relationScore(result.evidence)) } : {}),
    ...(entity === null ? {} : { expanded_from_entity: entity }),
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(6));
}
