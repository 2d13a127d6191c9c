/** An entity as answers show it: what tags say, and what its record adds. */
import type { EntityRecord } from '../../shared/contract/entities/entity-record.js';
import { entityKeyOf, entityName } from '../../shared/entities/entity-key.js';
import type { TagUse } from '../../shared/ports/graph-inspector.js';

/** The tag is one of an entity; `record`: undefined for an entity that has only tags. */
export function entityBodyOf({ tag, uses, firstAt, lastAt }: TagUse, record: EntityRecord | undefined) {
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
