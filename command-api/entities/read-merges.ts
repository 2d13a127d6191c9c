/** Follows merged entities to the entities that they are now. */
import type { EntityKey } from '../../shared/contract/entities/entity.js';
import { type EntityTarget, mergeKey, type Merges } from '../../shared/entities/rename-entities.js';
import type { GraphReader, LoadedEntity } from '../../shared/ports/graph.js';

/** Merges in a row. Every merge ends at an entity that was not merged, so there is no cycle. */
const MOST_HOPS = 100;

type Graph = Pick<GraphReader, 'entities'>;

/** The records that the keys lead to, with those on the way, by `category:slug`. One read for each merge in a row. */
export async function followMerges(
  keys: readonly EntityKey[],
  graph: Graph,
): Promise<ReadonlyMap<string, LoadedEntity>> {
  const found = new Map<string, LoadedEntity>();
  let next: readonly EntityKey[] = keys;
  for (let hop = 0; next.length > 0 && hop < MOST_HOPS; hop++) {
    const loaded = await graph.entities(next);
    for (const one of loaded) found.set(mergeKey(one.entity), one);
    next = loaded.flatMap(({ entity }) => entity.merged_into ?? []).filter((key) => !found.has(mergeKey(key)));
  }
  return found;
}

/** The key at the end of the merges; the key itself when it was not merged. */
export function endOfMerges(key: EntityKey, records: ReadonlyMap<string, LoadedEntity>): EntityKey {
  let end = key;
  for (let hop = 0; hop < MOST_HOPS; hop++) {
    const into = records.get(mergeKey(end))?.entity.merged_into;
    if (into === undefined) return end;
    end = into;
  }
  return end;
}

/** The merges that concern these keys; empty when none of them was merged. */
export async function readMerges(keys: readonly EntityKey[], graph: Graph): Promise<Merges> {
  return keys.length === 0 ? new Map() : mergesOf(keys, await followMerges(keys, graph));
}

/** `records`: as `followMerges` reads them. */
export function mergesOf(keys: readonly EntityKey[], records: ReadonlyMap<string, LoadedEntity>): Merges {
  const merges = new Map<string, EntityTarget>();
  for (const key of keys) {
    const end = endOfMerges(key, records);
    const name = records.get(mergeKey(end))?.entity.name;
    if (mergeKey(end) !== mergeKey(key) && name !== undefined)
      merges.set(mergeKey(key), { category: end.category, name });
  }
  return merges;
}
