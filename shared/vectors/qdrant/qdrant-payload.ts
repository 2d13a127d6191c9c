/** The payload stored with a vector: the fields of the memory that people read in Qdrant, and the keys that filters use. */
import type { Schemas } from '@qdrant/js-client-rest';
import { wholeTagKey } from '../../text/tags.js';
import type { Point } from '../vectors.js';

/** The indexes of fields that filters and guards use. Times are `datetime`, which is exact to the microsecond in all years. */
export const INDEXES = {
  version: 'integer',
  removed: 'bool',
  type: 'keyword',
  tag_keys: 'keyword',
  tag_prefixes: 'keyword',
  timestamp: 'datetime',
  valid_from: 'datetime',
  valid_until: 'datetime',
  archived: 'bool',
} as const satisfies Record<string, Schemas['PayloadSchemaType']>;

export type StoredPayload = Readonly<Record<string, unknown>>;

/** Omits an absent time, so that a range condition on it never matches, as the filters expect. */
export function storedPayload({ version, model, payload }: Point): StoredPayload {
  const { type, importance, confidence, tags, tagPrefixes, timestamp, updatedAt, validFrom, validUntil, archived } =
    payload;
  return {
    version,
    model,
    type,
    importance,
    confidence,
    tags,
    tag_keys: tags.map(wholeTagKey),
    tag_prefixes: tagPrefixes,
    timestamp,
    updated_at: updatedAt,
    ...(validFrom === null ? {} : { valid_from: validFrom }),
    ...(validUntil === null ? {} : { valid_until: validUntil }),
    archived,
  };
}

/** The payload of a removed memory, which guards against late older upserts. */
export function tombstonePayload(version: number): StoredPayload {
  return { version, removed: true };
}
