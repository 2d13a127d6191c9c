/** What is stored beside a vector: the whole payload as a reader of Qdrant would want it, and the keys that filters ask for. */
import type { Schemas } from '@qdrant/js-client-rest';
import { wholeTagKey } from '../../text/tags.js';
import type { Point } from '../vectors.js';

/** Fields that filters and guards ask for, and how each is indexed. Times as `datetime`: exact to the microsecond in all years. */
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

/** A time that there is none of is left out: a range then never holds, as the filters expect. */
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

/** What stays of a removed memory, so that an older upsert coming late stays out. */
export function tombstonePayload(version: number): StoredPayload {
  return { version, removed: true };
}
