/** The entity of a whole tag `entity:<category>:<slug>`. */
import type { EntityKey } from '../contract/entities/entity.js';
import { namedId } from '../kernel/named-id.js';
import { wholeTagKey } from '../text/tags.js';

export function entityTag({ category, slug }: EntityKey): string {
  return `entity:${category}:${slug}`;
}

/** The subject of its events. It depends on the tag alone, so two processes never make two records of one entity. */
export function entityId(key: EntityKey): string {
  return namedId(entityTag(key));
}

/** Null for any other tag. */
export function entityKeyOf(tag: string): EntityKey | null {
  const [root, category, slug, ...deeper] = wholeTagKey(tag).split(':');
  return root === 'entity' && category && slug && deeper.length === 0 ? { category, slug } : null;
}

/** `ann-lee` is shown as `Ann Lee`. */
export function entityName(slug: string): string {
  return slug
    .split('-')
    .filter((word) => word !== '')
    .map((word) => word.replace(/^\p{Ll}/u, (first) => first.toUpperCase()))
    .join(' ');
}
