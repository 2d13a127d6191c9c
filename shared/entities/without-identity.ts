/** A record of an entity without its identity. Another identity continues the numbers. */
import type { EntityRecord } from '../contract/entities/entity.js';

export function withoutIdentity({
  identity: _identity,
  identity_updated_at: _at,
  identity_source_count: _count,
  derived_from: _sources,
  ...kept
}: EntityRecord): EntityRecord {
  return kept;
}
