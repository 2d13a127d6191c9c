/** What both APIs say of a key. */
import type { ReplyOf } from '../contract/operations.js';
import type { Key } from '../ports/keys.js';

export function keyBody(key: Key): ReplyOf<'listKeys'>['keys'][number] {
  const { id, name, scopes, uses } = key;
  return {
    id,
    name,
    scopes: [...scopes],
    tag: key.tag,
    expires_at: key.expiresAt,
    requests_per_minute: key.requestsPerMinute,
    previous_until: key.previousUntil,
    last_used_at: key.lastUsedAt,
    uses,
    created_at: key.createdAt,
    updated_at: key.updatedAt,
  };
}
