/** The rules for single fields of a memory. They throw with the contract's texts and return the value to store. */
import {
  METADATA_DEPTH_LIMIT,
  METADATA_LIMIT_BYTES,
  TAG_LENGTH_LIMIT,
  TAG_LEVELS_LIMIT,
  TAG_LIMIT,
} from '../../shared/contract/limits.js';
import type { Timestamp } from '../../shared/contract/memory.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import { jsonBytesAtMost } from '../../shared/kernel/json-size.js';
import { parseTimestamp } from '../../shared/kernel/timestamps.js';
import { canonicalTag, isWithin, normalizeTags, tagPrefixes } from '../../shared/text/tags.js';

export type Metadata = Readonly<Record<string, unknown>>;

/** Characters as the contract counts them: Unicode code points. */
export function characterCount(text: string): number {
  let count = text.length;
  // An iterator over the characters takes ten times as long for a text of many megabytes.
  for (let at = 1; at < text.length; at += 1) {
    if (!isLow(text.charCodeAt(at)) || !isHigh(text.charCodeAt(at - 1))) continue;
    count -= 1;
    at += 1;
  }
  return count;
}

/** The first half of a surrogate pair. */
function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** The second half. */
function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Returns the trimmed content; refuses blank content and content above the hard limit. */
export function readContent(content: string, hardLimit: number): string {
  const trimmed = content.trim();
  if (trimmed === '') throw new ValidationError("'content' is required", 'content');
  const characters = characterCount(trimmed);
  if (characters > hardLimit) {
    throw new ValidationError(
      `Content exceeds maximum length of ${hardLimit} characters (${characters} provided). Please split into smaller memories or summarize.`,
      'content',
    );
  }
  return trimmed;
}

/** `field`: the name in the errors. */
export function readTags(tags: readonly string[], field = 'tags'): readonly string[] {
  const kept = normalizeTags(tags);
  if (kept.length > TAG_LIMIT)
    throw new ValidationError(`'${field}' must hold at most ${TAG_LIMIT} tags (${kept.length} provided)`, field);
  if (kept.some((tag) => characterCount(tag) > TAG_LENGTH_LIMIT)) {
    throw new ValidationError(`'${field}' must hold tags of at most ${TAG_LENGTH_LIMIT} characters`, field);
  }
  if (kept.some((tag) => canonicalTag(tag).split(':').length > TAG_LEVELS_LIMIT)) {
    throw new ValidationError(
      `'${field}' must hold tags of at most ${TAG_LEVELS_LIMIT} levels (a:b:c has three)`,
      field,
    );
  }
  return kept;
}

/** The tags of a memory that a caller writes whose key has this tag; null: none. An added tag counts as one of them. */
export function readTagsWithin(tags: readonly string[], tag: string | null): readonly string[] {
  const kept = readTags(tags);
  if (tag === null || isWithin({ tag_prefixes: tagPrefixes(kept) }, tag)) return kept;
  return readTags([...kept, tag]);
}

/** `field` is the object's name in the error: `metadata`, or the properties of an association. */
export function readJsonObject(object: Metadata, field: string): Metadata {
  if (isDeeperThan(object, METADATA_DEPTH_LIMIT)) {
    throw new ValidationError(`'${field}' must not be nested deeper than ${METADATA_DEPTH_LIMIT} levels`, field);
  }
  if (jsonBytesAtMost(object) <= METADATA_LIMIT_BYTES) return object;
  const bytes = Buffer.byteLength(JSON.stringify(object));
  if (bytes > METADATA_LIMIT_BYTES) {
    throw new ValidationError(
      `'${field}' must be at most ${METADATA_LIMIT_BYTES} bytes of JSON (${bytes} provided)`,
      field,
    );
  }
  return object;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((inner) => isDeeperThan(inner, levels - 1));
  const object = value as Metadata;
  // Object.values() takes three times as long with millions of values.
  return Object.keys(object).some((key) => isDeeperThan(object[key], levels - 1));
}

type TimestampField =
  'timestamp' | 't_valid' | 't_invalid' | 'updated_at' | 'last_accessed' | 'created_at' | 'archived_at';

/** Null for an absent or empty value. `bare`: without the field's name in the error, as for `timestamp`. */
export function readTimestamp(text: unknown, field: TimestampField, bare?: 'bare'): Timestamp | null {
  if (text === undefined || text === null || text === '') return null;
  const parsed = typeof text === 'string' ? parseTimestamp(text) : null;
  if (parsed !== null) return parsed;
  const isText = typeof text === 'string' && text.trim() !== '';
  const reason = isText ? 'Invalid ISO timestamp' : 'Timestamp must be a non-empty ISO formatted string';
  throw new ValidationError(bare ? reason : `Invalid ${field}: ${reason}`, field);
}

/** A memory that ends before it begins would never be current, whatever the caller meant. Equal times are allowed. */
export function rejectReversedValidity(from: Timestamp | null | undefined, until: Timestamp | null | undefined): void {
  if (from && until && from > until)
    throw new ValidationError(`t_valid (${from}) must not be after t_invalid (${until})`, 't_valid');
}

/** As 32-bit floats, as the index stores it. Refuses a wrong length, values outside their range, and all zeros. */
export function readEmbedding(embedding: readonly number[], vectorSize: number): Float32Array {
  const vector = Float32Array.from(embedding);
  if (vector.length !== vectorSize)
    throw new ValidationError(`Embedding must contain exactly ${vectorSize} values`, 'embedding');
  if (!vector.every(Number.isFinite)) throw new ValidationError('Embedding must contain finite values', 'embedding');
  if (vector.every((component) => component === 0))
    throw new ValidationError('Embedding must not be all zeros', 'embedding');
  return vector;
}
