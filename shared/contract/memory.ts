/** The memory: the record that all processes share, with the names of the HTTP contract. Data and types only. */
import type { FromSchema } from 'json-schema-to-ts';

/** The types that a caller can give. */
export const MEMORY_TYPES = ['Decision', 'Pattern', 'Preference', 'Style', 'Habit', 'Insight', 'Context'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

/** Other accepted names of the types, in lower case. */
export const MEMORY_TYPE_ALIASES = {
  memory: 'Context',
  milestone: 'Context',
  document: 'Context',
  meeting_notes: 'Context',
  project: 'Context',
  timeline: 'Context',
  organization: 'Context',
  person: 'Context',
  personal_situation: 'Context',
  practical_info: 'Context',
  analysis: 'Insight',
  observation: 'Insight',
  issue: 'Insight',
  legal_analysis: 'Insight',
  template: 'Pattern',
  interests: 'Preference',
  personality: 'Preference',
  emotional_patterns: 'Preference',
  relationship_dynamics: 'Preference',
  communication: 'Preference',
  health_habits: 'Habit',
} as const satisfies Record<string, MemoryType>;

declare const memoryIdBrand: unique symbol;
/** A lower-case UUID that the service gave to a memory. */
export type MemoryId = string & { readonly [memoryIdBrand]: true };

/** A UTC time in the format of the contract, `2024-01-01T08:00:00.500000+00:00`; the strings sort like the times. */
export type Timestamp = string;

export const unitInterval = { type: 'number', minimum: 0, maximum: 1 } as const;
export const metadataObject = { type: 'object', additionalProperties: true } as const;

/** A memory as it is stored, carried by events and returned by reads. A property without a value is absent. */
export const memorySchema = {
  type: 'object',
  additionalProperties: false,
  required: [
    'id',
    'content',
    'type',
    'confidence',
    'tags',
    'tag_prefixes',
    'importance',
    'metadata',
    'timestamp',
    'updated_at',
    'last_accessed',
    'enriched',
    'processed',
  ],
  properties: {
    id: { type: 'string', format: 'uuid' },
    content: { type: 'string', minLength: 1 },
    type: { type: 'string', enum: [...MEMORY_TYPES, 'MetaPattern'] },
    confidence: unitInterval,
    tags: { type: 'array', items: { type: 'string' } },
    tag_prefixes: { type: 'array', items: { type: 'string' } },
    importance: unitInterval,
    metadata: metadataObject,
    timestamp: { type: 'string' },
    updated_at: { type: 'string' },
    last_accessed: { type: 'string' },
    t_valid: { type: 'string' },
    t_invalid: { type: 'string' },
    summary: { type: 'string' },
    enriched: { type: 'boolean' },
    enriched_at: { type: 'string' },
    processed: { type: 'boolean' },
    entities: {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
      description:
        'Names that enrichment found in the content, by category. They remain when tags or metadata are replaced.',
    },
    relevance_score: { type: 'number' },
    archived: { type: 'boolean' },
    archived_at: { type: 'string' },
    protected: { type: 'boolean' },
    protected_reason: { type: 'string' },
  },
} as const;

type MemoryRecord = FromSchema<typeof memorySchema>;
export type Memory = Readonly<Omit<MemoryRecord, 'id' | 'tags' | 'tag_prefixes' | 'metadata'>> & {
  readonly id: MemoryId;
  readonly tags: readonly string[];
  readonly tag_prefixes: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
};

/** The summary of the memory at the other end of a relation. */
export const memorySummarySchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    type: { type: 'string' },
    timestamp: { type: 'string' },
    summary: { type: 'string' },
    content: { type: 'string', description: 'At most 160 characters; absent when there is a summary.' },
    importance: { type: 'number' },
    confidence: { type: 'number' },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
  },
} as const;
export type MemorySummary = FromSchema<typeof memorySummarySchema>;
