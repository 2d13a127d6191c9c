/** GET /entities and GET /entity/:slug. An entity exists as long as a memory has its tag. */
import { ENTITY_LIST, SLUG_LENGTH } from '../../shared/contract/entities/entity.js';
import { ENTITY_CATEGORIES, readEntityCategory } from '../../shared/entities/entity.js';
import { entityKeyOf, entityTag } from '../../shared/entities/entity-key.js';
import type { GraphInspector } from '../../shared/graph/graph-inspector.js';
import type { Handler } from '../../shared/http/handler.js';
import { NotFoundError } from '../../shared/kernel/errors.js';
import { shorten } from '../../shared/kernel/shorten.js';
import { entityBodyOf } from './entity-body.js';

export function createListEntities({
  inspector,
}: {
  readonly inspector: Pick<GraphInspector, 'tagUses'>;
}): Handler<'listEntities'> {
  return async ({ query: { category, limit = ENTITY_LIST.default } }) => {
    const categories =
      category === undefined ? ENTITY_CATEGORIES : [readEntityCategory(category)].filter((one) => one !== null);
    const beginnings = categories.map((one) => entityTag({ category: one, slug: '' }));
    const uses = await inspector.tagUses({ beginnings, limit: Math.min(limit, ENTITY_LIST.maximum) });
    const entities = uses.filter(({ tag }) => entityKeyOf(tag) !== null).map(entityBodyOf);
    return { status: 200, body: { status: 'success', entities, count: entities.length } };
  };
}

export function createGetEntity({
  inspector,
}: {
  readonly inspector: Pick<GraphInspector, 'tagUsesOf'>;
}): Handler<'getEntity'> {
  return async ({ params: { slug }, query: { category } }) => {
    const categories =
      category === undefined ? ENTITY_CATEGORIES : [readEntityCategory(category)].filter((one) => one !== null);
    const wanted = slug.trim().toLowerCase();
    const tags = wanted.length > SLUG_LENGTH ? [] : categories.map((one) => entityTag({ category: one, slug: wanted }));
    const [use] = tags.length === 0 ? [] : await inspector.tagUsesOf(tags);
    if (use === undefined || entityKeyOf(use.tag) === null)
      throw new NotFoundError(`Entity '${shorten(slug)}' not found`);
    return { status: 200, body: { status: 'success', entity: entityBodyOf(use) } };
  };
}
