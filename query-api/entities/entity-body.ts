/** An entity as answers show it. */
import { entityKeyOf, entityName } from '../../shared/entities/entity-key.js';
import type { TagUse } from '../../shared/graph/graph-inspector.js';

/** The tag is one of an entity. */
export function entityBodyOf({ tag, uses, firstAt, lastAt }: TagUse) {
  const { category, slug } = entityKeyOf(tag) ?? { category: '', slug: '' };
  return {
    id: tag,
    slug,
    category,
    name: entityName(slug),
    aliases: [],
    identity: null,
    identity_version: 0,
    identity_updated_at: null,
    identity_source_count: null,
    reference_count: uses,
    created_at: firstAt,
    last_referenced_at: lastAt,
  };
}
