/** Gives the names of merged entities the names of the entities that they were merged into. */
import type { EntityKey } from '../contract/entities/entity.js';
import { entitySlug } from '../text/entity-tags.js';

/** Names by category, as enrichment finds them. */
export type NamesByCategory = Readonly<Record<string, readonly string[]>>;
export type EntityTarget = { readonly category: string; readonly name: string };
/** By `category:slug` of the merged entity. */
export type Merges = ReadonlyMap<string, EntityTarget>;

export function mergeKey({ category, slug }: EntityKey): string {
  return `${category}:${slug}`;
}

/** The keys of all names, each once. */
export function keysOfNames(names: NamesByCategory): readonly EntityKey[] {
  const keys = Object.entries(names).flatMap(([category, list]) =>
    list.map((name) => ({ category, slug: entitySlug(name) })),
  );
  return [...new Map(keys.map((key) => [mergeKey(key), key])).values()];
}

/** A category that loses its last name is left out. A name that is there already is not added again. */
export function renamedEntities(names: NamesByCategory, merges: Merges): NamesByCategory {
  const renamed = new Map<string, string[]>();
  for (const [category, list] of Object.entries(names)) {
    for (const name of list) {
      const target = merges.get(mergeKey({ category, slug: entitySlug(name) })) ?? { category, name };
      const found = renamed.get(target.category) ?? [];
      if (!found.includes(target.name)) found.push(target.name);
      renamed.set(target.category, found);
    }
  }
  return Object.fromEntries(renamed);
}
