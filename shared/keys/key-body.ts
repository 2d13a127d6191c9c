/** What replies and events say of a key. */
import type { KeyRecord } from '../contract/events.js';
import type { ReplyOf } from '../contract/operations.js';
import type { Key } from '../ports/keys.js';

export function keyRecord({ id, name, scopes, tag, expiresAt, requestsPerMinute, previousUntil }: Key): KeyRecord {
  return {
    id,
    name,
    scopes,
    tag,
    expires_at: expiresAt,
    requests_per_minute: requestsPerMinute,
    previous_until: previousUntil,
  };
}

/** With its use. */
export function keyBody(key: Key): ReplyOf<'listKeys'>['keys'][number] {
  return {
    ...keyRecord(key),
    scopes: [...key.scopes],
    last_used_at: key.lastUsedAt,
    uses: key.uses,
    created_at: key.createdAt,
    updated_at: key.updatedAt,
  };
}
