/**
 * The bodies of the commands, as JSON Schema. The types are derived from the schemas, and OpenAPI shows them. `accepts`
 * names other forms of input that are converted before validation (`shared/kernel/validation/coerce.ts`): `numeric` -
 * numeric text and booleans; `string_or_list` - one string for a list of one; `commas_or_list` - one string with commas
 * between the items; `numbers_or_text` - comma-separated numbers; `any_case` - an enum value in any letter case, or one
 * of the schema's `aliases`. In every command a property that is null counts as absent unless its schema allows null.
 */
import type { FromSchema } from 'json-schema-to-ts';
import { BATCH_LIMIT } from './limits.js';
import { MEMORY_TYPE_ALIASES, MEMORY_TYPES } from './memory.js';

const importance = { type: 'number', minimum: 0, maximum: 1, accepts: 'numeric', description: 'Default 0.5.' } as const;
const confidence = { type: 'number', minimum: 0, maximum: 1, accepts: 'numeric' } as const;
const tags = { type: 'array', items: { type: 'string' }, accepts: 'string_or_list' } as const;
const metadata = { type: 'object', additionalProperties: true } as const;
const isoTime = { type: 'string', description: 'ISO 8601; without an offset it is UTC.' } as const;
const type = {
  type: 'string',
  enum: MEMORY_TYPES,
  accepts: 'any_case',
  aliases: MEMORY_TYPE_ALIASES,
  description: 'In any letter case, or a known alias; classified from the content when absent.',
} as const;
const content = { type: 'string', minLength: 1, pattern: '\\S', description: 'Not blank.' } as const;
/** Vectors are stored with 32 bits per number. */
const FLOAT32_MAXIMUM = 3.4028234663852886e38;
const embedding = {
  type: 'array',
  items: { type: 'number', minimum: -FLOAT32_MAXIMUM, maximum: FLOAT32_MAXIMUM },
  accepts: 'numbers_or_text',
  description: 'As many numbers as the vector size.',
} as const;

export const storeMemoryBody = {
  type: 'object',
  additionalProperties: true,
  required: ['content'],
  properties: {
    content,
    type,
    confidence,
    tags,
    importance,
    metadata,
    timestamp: isoTime,
    embedding,
    t_valid: isoTime,
    t_invalid: isoTime,
    updated_at: isoTime,
    last_accessed: isoTime,
  },
} as const;
export type StoreMemoryBody = FromSchema<typeof storeMemoryBody>;

export const batchItem = {
  type: 'object',
  additionalProperties: true,
  required: ['content'],
  properties: { content, type, confidence, tags, importance, metadata, timestamp: isoTime },
} as const;
export const storeBatchBody = {
  type: 'object',
  additionalProperties: true,
  required: ['memories'],
  properties: { memories: { type: 'array', minItems: 1, maxItems: BATCH_LIMIT, items: batchItem } },
} as const;

const nullableTime = { type: ['string', 'null'], description: 'ISO 8601; null removes the bound.' } as const;
export const updateMemoryBody = {
  type: 'object',
  additionalProperties: true,
  properties: {
    content,
    type,
    confidence,
    tags: {
      ...tags,
      type: ['array', 'null'],
      accepts: 'commas_or_list',
      description: 'Replaces all tags; null removes them. A string is split at commas.',
    },
    importance,
    metadata: { ...metadata, type: ['object', 'null'], description: 'Replaces the whole object; null empties it.' },
    timestamp: isoTime,
    t_valid: nullableTime,
    t_invalid: nullableTime,
    updated_at: isoTime,
    last_accessed: isoTime,
  },
} as const;
export type UpdateMemoryBody = FromSchema<typeof updateMemoryBody>;

/** Properties that some types have in addition to strength; accepted at the top level and inside `properties`. */
const associationProperties = {
  context: { type: 'string' },
  reason: { type: 'string' },
  pattern_type: { type: 'string' },
  resolution: { type: 'string' },
  timestamp: { type: 'string' },
  transformation: { type: 'string' },
  role: { type: 'string' },
  confidence: { type: 'number' },
  observations: {},
} as const;

export const associationItem = {
  type: 'object',
  additionalProperties: true,
  required: ['memory1_id', 'memory2_id', 'type'],
  properties: {
    memory1_id: { type: 'string', description: 'Source.' },
    memory2_id: { type: 'string', description: 'Target.' },
    type: { type: 'string', description: 'One of the eleven types that callers can write, in any letter case.' },
    strength: { type: 'number', minimum: 0, maximum: 1, accepts: 'numeric', description: 'Default 0.5.' },
    properties: { type: 'object', additionalProperties: true },
    ...associationProperties,
  },
} as const;

export const associationBatch = {
  type: 'object',
  additionalProperties: true,
  required: ['associations'],
  properties: {
    associations: { type: 'array', minItems: 1, maxItems: BATCH_LIMIT, items: associationItem },
  },
} as const;

/** One association, or `associations`, whose items the command API validates one by one. */
export const associateBody = { anyOf: [associationItem, associationBatch] } as const;

/** Validated by the command API: values that are not strings are ignored, as existing clients expect. */
export const reprocessBody = {
  type: 'object',
  additionalProperties: true,
  properties: {
    ids: {
      type: 'array',
      maxItems: BATCH_LIMIT,
      items: { type: 'string' },
      accepts: 'commas_or_list',
      description: 'Memory ids. A single string is split at commas.',
    },
  },
} as const;

/** Internal command of our own processes: these memories were read, the last of them at the time `at`. */
export const recordAccessBody = {
  type: 'object',
  additionalProperties: false,
  required: ['ids', 'at'],
  properties: {
    ids: { type: 'array', minItems: 1, maxItems: BATCH_LIMIT, items: { type: 'string', format: 'uuid' } },
    at: { type: 'string', description: 'ISO 8601; without an offset it is UTC.' },
  },
} as const;

/** The header with the position of the last event of a write; reads take it as `consistent_with`. */
export const RECEIPT_HEADER = 'Memory-Position';
