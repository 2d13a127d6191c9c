/** GET /entities/merge-candidates: pairs of the most referenced entities that may be the same. */
import {
  CANDIDATE_LIMIT,
  CANDIDATE_MEMORIES,
  CANDIDATES_EXAMINED,
  ENTITY_CATEGORIES,
} from '../../shared/contract/entities/entity.js';
import { areDistinct, entitiesIn, memoriesByEntity } from '../../shared/entities/entities-in-pairs.js';
import { entityKeyOf, entityTag } from '../../shared/entities/entity-key.js';
import { findSimilarPairs, type MergeCandidate, ratePairs } from '../../shared/entities/merge-candidates.js';
import { mergeKey } from '../../shared/entities/rename-entities.js';
import type { Handler } from '../../shared/http/handler.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { GraphInspector } from '../../shared/ports/graph-inspector.js';

export type CandidateDeps = {
  readonly graph: Pick<GraphReader, 'entities'>;
  readonly inspector: Pick<GraphInspector, 'tagCounts' | 'memoriesTagged'>;
};

export function createListMergeCandidates(deps: CandidateDeps): Handler<'listMergeCandidates'> {
  return async () => {
    const { candidates, isCut } = await readMergeCandidates(deps);
    return {
      status: 200,
      body: {
        status: 'success',
        candidates: candidates.map(candidateBody),
        count: candidates.length,
        truncated: isCut,
      },
    };
  };
}

/**
 * At most CANDIDATE_LIMIT, without pairs whose merge was undone. `isCut`: there are more of them, or more entities than
 * are compared.
 */
export async function readMergeCandidates({
  graph,
  inspector,
}: CandidateDeps): Promise<{ readonly candidates: readonly MergeCandidate[]; readonly isCut: boolean }> {
  const prefixes = ENTITY_CATEGORIES.map((category) => entityTag({ category, slug: '' }));
  const uses = await inspector.tagCounts({ prefixes, limit: CANDIDATES_EXAMINED + 1 });
  const keys = uses.slice(0, CANDIDATES_EXAMINED).flatMap(({ tag }) => entityKeyOf(tag) ?? []);
  const similar = findSimilarPairs(keys);
  const loaded = similar.length === 0 ? [] : await graph.entities(entitiesIn(similar));
  const records = new Map(loaded.map((one) => [mergeKey(one.entity), one]));
  const pairs = similar.filter(({ canonical, alias }) => !areDistinct(canonical, alias, records));
  const entities = entitiesIn(pairs);
  const tags = entities.map(entityTag);
  const memories = tags.length === 0 ? null : await inspector.memoriesTagged({ tags, limit: CANDIDATE_MEMORIES });
  const found = ratePairs(pairs, memoriesByEntity(entities, memories ?? new Map()));
  return {
    candidates: found.slice(0, CANDIDATE_LIMIT),
    isCut: found.length > CANDIDATE_LIMIT || uses.length > CANDIDATES_EXAMINED,
  };
}

/** As the contract names its parts. */
export function candidateBody({ canonical, alias, confidence, reason, isCertain }: MergeCandidate) {
  return {
    entity_a: entityTag(canonical),
    entity_b: entityTag(alias),
    canonical: canonical.slug,
    alias: alias.slug,
    confidence,
    reason,
    auto_merge: isCertain,
  };
}
