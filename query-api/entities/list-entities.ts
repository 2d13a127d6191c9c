/**
 * GET /entities and GET /entity/:slug. An entity exists as long as a memory has its tag; a merged one is shown as the
 * other one.
 */
import {
  ENTITY_CATEGORIES,
  ENTITY_LIST,
  type EntityKey,
  type EntityRecord,
  SLUG_LENGTH,
} from '../../shared/contract/entities/entity.js';
import { readEntityCategory } from '../../shared/entities/entity.js';
import { entityKeyOf, entityName, entityTag } from '../../shared/entities/entity-key.js';
import { mergeKey } from '../../shared/entities/rename-entities.js';
import type { Handler } from '../../shared/http/handler.js';
import { NotFoundError } from '../../shared/kernel/errors.js';
import { shorten } from '../../shared/kernel/shorten.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { GraphInspector, TagCount, TagUse } from '../../shared/ports/graph-inspector.js';

type Deps = {
  readonly graph: Pick<GraphReader, 'entities'>;
  readonly inspector: Pick<GraphInspector, 'tagUses' | 'tagUsesOf'>;
};

export function createListEntities({ graph, inspector }: Deps): Handler<'listEntities'> {
  return async ({ query: { category, limit = ENTITY_LIST.default } }) => {
    const prefixes = categoriesOf(category).map((one) => entityTag({ category: one, slug: '' }));
    const uses = await inspector.tagUses({ prefixes, limit: Math.min(limit, ENTITY_LIST.maximum) });
    const keys = uses.flatMap(({ tag }) => entityKeyOf(tag) ?? []);
    const records = new Map((await graph.entities(keys)).map(({ entity }) => [entityTag(entity), entity]));
    const entities = uses
      .filter(({ tag }) => entityKeyOf(tag) !== null && records.get(tag)?.merged_into === undefined)
      .map((use) => entityBodyOf(use, records.get(use.tag)));
    return { status: 200, body: { status: 'success', entities, count: entities.length } };
  };
}

/** Merges in a row that are followed. */
const MOST_HOPS = 100;

export function createGetEntity({ graph, inspector }: Deps): Handler<'getEntity'> {
  return async ({ params: { slug }, query: { category } }) => {
    const wanted = slug.trim().toLowerCase();
    let keys: readonly EntityKey[] =
      wanted === '' || wanted.length > SLUG_LENGTH
        ? []
        : categoriesOf(category).map((one) => ({ category: one, slug: wanted }));
    for (let hop = 0; keys.length > 0 && hop < MOST_HOPS; hop++) {
      const [uses, loaded] = await Promise.all([inspector.tagUsesOf(keys.map(entityTag)), graph.entities(keys)]);
      const records = new Map(loaded.map(({ entity }) => [mergeKey(entity), entity]));
      const present = uses.find(({ tag }) => isPresent(tag, records));
      if (present !== undefined) {
        const record = records.get(mergeKey(entityKeyOf(present.tag) ?? { category: '', slug: '' }));
        return { status: 200, body: { status: 'success', entity: entityBodyOf(present, record) } };
      }
      keys = loaded.flatMap(({ entity }) => entity.merged_into ?? []);
    }
    throw new NotFoundError(`Entity '${shorten(slug)}' not found`);
  };
}

/** A merged entity may still have memories whose tags are about to move. */
function isPresent(tag: TagCount['tag'], records: ReadonlyMap<string, { readonly merged_into?: EntityKey }>): boolean {
  const key = entityKeyOf(tag);
  return key !== null && records.get(mergeKey(key))?.merged_into === undefined;
}

/** Every category by default; none for a name that is no category. */
function categoriesOf(name: string | undefined): readonly string[] {
  return name === undefined ? ENTITY_CATEGORIES : [readEntityCategory(name)].filter((one) => one !== null);
}

/**
 * An entity as answers show it: what tags say, and what its record adds. The tag is one of an entity; `record`:
 * undefined for an entity that has only tags.
 */
function entityBodyOf({ tag, uses, firstAt, lastAt }: TagUse, record: EntityRecord | undefined) {
  const { category, slug } = entityKeyOf(tag) ?? { category: '', slug: '' };
  return {
    id: tag,
    slug,
    category,
    name: record?.name ?? entityName(slug),
    aliases: record?.aliases ?? [],
    identity: record?.identity ?? null,
    identity_version: record?.identity_version ?? 0,
    identity_updated_at: record?.identity_updated_at ?? null,
    identity_source_count: record?.identity_source_count ?? null,
    reference_count: uses,
    created_at: firstAt,
    last_referenced_at: lastAt,
  };
}
