/** The internal commands between the enricher, which finds things out about memories, and the command side, which alone writes. */
import { DERIVED_TYPES, type DerivedAssociation } from './association.js';
import { unitInterval, type MemoryId } from './memory.js';

/**
 * What the enricher found out. `expectedVersion`: of the memory that it worked on; another version by now is `outdated`, and nothing
 * happens. `causationId`: the event that it answers to.
 */
export type EnrichmentResult = {
  readonly kind: 'enriched';
  readonly id: MemoryId;
  readonly expectedVersion: number;
  readonly causationId: string;
  readonly entities: Readonly<Record<string, readonly string[]>>;
  /** Null: the memory keeps the one it has. */
  readonly summary: string | null;
  readonly derived: readonly DerivedAssociation[];
  /** Becomes `metadata.enrichment`. */
  readonly findings: Readonly<Record<string, unknown>>;
};
/** It gave up, after so many attempts. */
export type EnrichmentFailure = {
  readonly kind: 'failed';
  readonly id: MemoryId;
  readonly expectedVersion: number;
  readonly causationId: string;
  readonly attempts: number;
  readonly error: string;
};
/** A memory of type MetaPattern that others exemplify: written when absent (`expectedVersion` 0), rewritten when its words change. */
export type ObservedPattern = {
  readonly kind: 'pattern';
  readonly id: MemoryId;
  readonly expectedVersion: number;
  readonly causationId: string;
  readonly content: string;
  readonly confidence: number;
  readonly metadata: Readonly<Record<string, unknown>>;
};
export type EnrichmentCommand = EnrichmentResult | EnrichmentFailure | ObservedPattern;

export type EnrichmentOutcome = 'done' | 'outdated' | 'absent';
/**
 * Outcome i belongs to command i; at most ENRICHMENT_COMMANDS_LIMIT. Throws DependencyError, of 'commands' where they are sent to another
 * process; repeated after it, what was done already is 'outdated'.
 */
export type RecordEnrichments = (commands: readonly EnrichmentCommand[]) => Promise<readonly EnrichmentOutcome[]>;

export const ENRICHMENT_COMMANDS_LIMIT = 100;
export const DERIVED_LIMIT = 100;
export const ENTITY_CATEGORY_LIMIT = 20;
/** Of one category. */
export const ENTITY_LIMIT = 100;
export const ENTITY_LENGTH_LIMIT = 256;
export const ENRICHMENT_TEXT_LIMIT = 4_000;

const shared = {
  id: { type: 'string', format: 'uuid' },
  expectedVersion: { type: 'integer', minimum: 0 },
  causationId: { type: 'string', minLength: 1, maxLength: 100 },
} as const;
const sharedRequired = ['kind', 'id', 'expectedVersion', 'causationId'] as const;
const anyObject = { type: 'object', additionalProperties: true } as const;
const text = { type: 'string', minLength: 1, maxLength: ENRICHMENT_TEXT_LIMIT } as const;

export const enrichmentResultSchema = {
  type: 'object',
  additionalProperties: false,
  required: [...sharedRequired, 'entities', 'summary', 'derived', 'findings'],
  properties: {
    kind: { type: 'string', const: 'enriched' },
    ...shared,
    entities: {
      type: 'object',
      maxProperties: ENTITY_CATEGORY_LIMIT,
      additionalProperties: {
        type: 'array',
        maxItems: ENTITY_LIMIT,
        items: { type: 'string', maxLength: ENTITY_LENGTH_LIMIT },
      },
    },
    summary: { type: ['string', 'null'], maxLength: ENRICHMENT_TEXT_LIMIT },
    derived: {
      type: 'array',
      maxItems: DERIVED_LIMIT,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['target', 'type', 'strength', 'properties'],
        properties: {
          target: shared.id,
          type: { type: 'string', enum: DERIVED_TYPES },
          strength: unitInterval,
          properties: anyObject,
        },
      },
    },
    findings: anyObject,
  },
} as const;

export const enrichmentFailureSchema = {
  type: 'object',
  additionalProperties: false,
  required: [...sharedRequired, 'attempts', 'error'],
  properties: {
    kind: { type: 'string', const: 'failed' },
    ...shared,
    attempts: { type: 'integer', minimum: 1 },
    error: { ...text, minLength: 0 },
  },
} as const;

export const observedPatternSchema = {
  type: 'object',
  additionalProperties: false,
  required: [...sharedRequired, 'content', 'confidence', 'metadata'],
  properties: {
    kind: { type: 'string', const: 'pattern' },
    ...shared,
    content: text,
    confidence: unitInterval,
    metadata: anyObject,
  },
} as const;

/** Each command is judged by the schema of its kind, one by one. */
export const recordEnrichmentsBody = {
  type: 'object',
  additionalProperties: false,
  required: ['commands'],
  properties: {
    commands: {
      type: 'array',
      minItems: 1,
      maxItems: ENRICHMENT_COMMANDS_LIMIT,
      items: { type: 'object', additionalProperties: true },
    },
  },
} as const;

export const ENRICHMENT_OUTCOMES = ['done', 'outdated', 'absent'] as const satisfies readonly EnrichmentOutcome[];
