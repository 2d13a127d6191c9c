/** The entities of some pairs, whose memories and records decide about the pairs. */
import type { EntityKey, EntityRecord } from '../contract/entities/entity.js';
import { entityTag } from './entity-key.js';
import type { MemoriesOfEntities, SimilarPair } from './merge-candidates.js';
import { mergeKey } from './rename-entities.js';

/** Each entity once. */
export function entitiesIn(pairs: readonly SimilarPair[]): readonly EntityKey[] {
  return [
    ...new Map(pairs.flatMap(({ canonical, alias }) => [canonical, alias]).map((key) => [mergeKey(key), key])).values(),
  ];
}

/** `found`: the memories of each tag. */
export function memoriesByEntity(
  entities: readonly EntityKey[],
  found: ReadonlyMap<string, readonly string[]>,
): MemoriesOfEntities {
  return new Map(entities.map((key) => [mergeKey(key), new Set(found.get(entityTag(key)))]));
}

type Records = ReadonlyMap<string, { readonly entity: EntityRecord }>;

/** Whether a request undid a merge of the two, or of entities that were merged into them. `records`: by `mergeKey`. */
export function areDistinct(one: EntityKey, other: EntityKey, records: Records): boolean {
  return isDistinctFrom(one, other, records) || isDistinctFrom(other, one, records);
}

function isDistinctFrom(one: EntityKey, other: EntityKey, records: Records): boolean {
  const slugs = [other.slug, ...(records.get(mergeKey(other))?.entity.aliases ?? [])];
  const distinct = records.get(mergeKey(one))?.entity.distinct_from ?? [];
  return distinct.some(({ category, slug }) => category === other.category && slugs.includes(slug));
}
