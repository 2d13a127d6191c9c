/**
 * A record of an entity without its identity. Another identity continues the numbers. A merged entity keeps the ids of
 * the memories that named it.
 */
import type { EntityRecord } from '../contract/entities/entity.js';

export function withoutIdentity({
  identity: _identity,
  identity_updated_at: _at,
  identity_source_count: _count,
  derived_from: sources,
  ...kept
}: EntityRecord): EntityRecord {
  return kept.merged_into !== undefined && sources !== undefined ? { ...kept, derived_from: sources } : kept;
}
