/** The rules of a memory's single fields, one function each. They refuse with the contract's texts and return what is kept. */
import {
  METADATA_DEPTH_LIMIT,
  METADATA_LIMIT_BYTES,
  TAG_LENGTH_LIMIT,
  TAG_LIMIT,
} from '../../shared/contract/limits.js';
import type { Timestamp } from '../../shared/contract/memory.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import { parseTimestamp } from '../../shared/kernel/timestamps.js';
import { normalizeTags } from '../../shared/text/tags.js';

export type Metadata = Readonly<Record<string, unknown>>;

/** Characters as the contract counts them: Unicode code points. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Trimmed, not blank, within the hard limit. */
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

export function readTags(tags: readonly string[]): readonly string[] {
  const kept = normalizeTags(tags);
  if (kept.length > TAG_LIMIT)
    throw new ValidationError(`'tags' must hold at most ${TAG_LIMIT} tags (${kept.length} provided)`, 'tags');
  if (kept.some((tag) => characterCount(tag) > TAG_LENGTH_LIMIT)) {
    throw new ValidationError(`'tags' must hold tags of at most ${TAG_LENGTH_LIMIT} characters`, 'tags');
  }
  return kept;
}

/** `field` names the object in the refusal: metadata, or an association's properties. */
export function readJsonObject(object: Metadata, field: string): Metadata {
  if (isDeeperThan(object, METADATA_DEPTH_LIMIT)) {
    throw new ValidationError(`'${field}' must not be nested deeper than ${METADATA_DEPTH_LIMIT} levels`, field);
  }
  const bytes = Buffer.byteLength(JSON.stringify(object));
  if (bytes > METADATA_LIMIT_BYTES) {
    throw new ValidationError(
      `'${field}' must be at most ${METADATA_LIMIT_BYTES} bytes of JSON (${bytes} provided)`,
      field,
    );
  }
  return object;
}

export function isMap(value: unknown): value is Metadata {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((inner) => isDeeperThan(inner, levels - 1));
  const object = value as Metadata;
  // Its values as a list take three times as long where they are millions.
  return Object.keys(object).some((key) => isDeeperThan(object[key], levels - 1));
}

type TimestampField = 'timestamp' | 't_valid' | 't_invalid' | 'updated_at' | 'last_accessed';

/** Null for none (absent, null or empty). `bare` leaves the field's name out of the text, as the contract has it for `timestamp`. */
export function readTimestamp(text: unknown, field: TimestampField, bare?: 'bare'): Timestamp | null {
  if (text === undefined || text === null || text === '') return null;
  const parsed = typeof text === 'string' ? parseTimestamp(text) : null;
  if (parsed !== null) return parsed;
  const isText = typeof text === 'string' && text.trim() !== '';
  const reason = isText ? 'Invalid ISO timestamp' : 'Timestamp must be a non-empty ISO formatted string';
  throw new ValidationError(bare ? reason : `Invalid ${field}: ${reason}`, field);
}

/** As the index keeps it. Refuses another length, what no 32-bit float holds, and a vector without a direction. */
export function readEmbedding(embedding: readonly number[], vectorSize: number): Float32Array {
  const vector = Float32Array.from(embedding);
  if (vector.length !== vectorSize)
    throw new ValidationError(`Embedding must contain exactly ${vectorSize} values`, 'embedding');
  if (!vector.every(Number.isFinite)) throw new ValidationError('Embedding must contain finite values', 'embedding');
  if (vector.every((component) => component === 0))
    throw new ValidationError('Embedding must not be all zeros', 'embedding');
  return vector;
}
