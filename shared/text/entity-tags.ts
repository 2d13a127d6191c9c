/** Makes and reads the tags of entities, `entity:<type>:<slug>`. */
import { canonicalTag } from './tags.js';

export type Entity = {
  /** In the canonical form of tag prefixes. */
  readonly tag: string;
  readonly type: string;
  /** In lower case. */
  readonly name: string;
};

/** The tags of names by category, sorted: `{ people: ['Ann Lee'] }` gives `entity:people:ann-lee`. */
export function entityTags(entities: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const tags = Object.entries(entities).flatMap(([category, names]) =>
    names.flatMap((name) => entityNamed(category, name)?.tag ?? []),
  );
  return [...new Set(tags)].sort();
}

/**
 * The name in lower case, with one hyphen for each run of other characters than letters (of any script) and digits. Can
 * be empty.
 */
export function entitySlug(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/gu, '');
}

/** `people`, `Ann Lee` gives `entity:people:ann-lee`. Null when the name has no letter and no digit. */
export function entityNamed(type: string, name: string): Entity | null {
  const slug = entitySlug(name);
  return slug === '' ? null : { tag: canonicalTag(`entity:${type}:${slug}`), type, name: name.trim().toLowerCase() };
}

/** The entities among cumulative tag prefixes, in their order. Their names have blanks in place of the hyphens. */
export function taggedEntities(tagPrefixes: readonly string[]): readonly Entity[] {
  return tagPrefixes.flatMap((tag) => {
    const [root, type, slug, ...deeper] = tag.split(':');
    const name = slug?.replaceAll('-', ' ').trim();
    return root === 'entity' && type && name && deeper.length === 0 ? [{ tag, type, name }] : [];
  });
}
