/** The entities of some pairs, whose memories decide about the pairs. */
import type { EntityKey } from '../contract/entities/entity.js';
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
