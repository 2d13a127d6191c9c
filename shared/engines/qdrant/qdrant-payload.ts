/**
 * The payload stored with a vector: the fields of the memory that people read in Qdrant, and the keys that filters use.
 */
import type { Schemas } from '@qdrant/js-client-rest';
import type { MemoryId } from '../../contract/memory.js';
import type { Point, ScannedPoint } from '../../ports/vectors.js';
import { wholeTagKey } from '../../text/tags.js';

/**
 * The indexes of fields that filters and guards use. Times are `datetime`, which is exact to the microsecond in all
 * years.
 */
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

/**
 * Reads what `storedPayload` wrote. A field that is missing, because someone else changed the point, comes with another
 * type or as NaN.
 */
export function scannedPoint(id: MemoryId, stored: StoredPayload): ScannedPoint {
  const time = (name: string): string | null => (stored[name] === undefined ? null : String(stored[name]));
  const texts = (name: string): readonly string[] => (Array.isArray(stored[name]) ? stored[name].map(String) : []);
  return {
    id,
    version: Number(stored['version']),
    model: String(stored['model']),
    payload: {
      type: String(stored['type']),
      importance: Number(stored['importance']),
      confidence: Number(stored['confidence']),
      tags: texts('tags'),
      tagPrefixes: texts('tag_prefixes'),
      timestamp: String(stored['timestamp']),
      updatedAt: String(stored['updated_at']),
      validFrom: time('valid_from'),
      validUntil: time('valid_until'),
      archived: stored['archived'] === true,
    },
  };
}

/** The payload of a removed memory, which guards against late older upserts. */
export function tombstonePayload(version: number): StoredPayload {
  return { version, removed: true };
}
