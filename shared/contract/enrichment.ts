/** The internal commands of the enricher to the command API, which is the only writer. */
import { DERIVED_TYPES, type DerivedAssociation } from './association.js';
import { type MemoryId, unitInterval } from './memory.js';
import type { Operation } from './operation.js';
import { closed, success } from './reply-parts.js';

/**
 * The result for one memory. `expectedVersion`: the version that the enricher read; if the memory has another version
 * now, the outcome is `outdated` and nothing changes. `causationId`: the event that caused the enrichment.
 */
export type EnrichmentResult = {
  readonly kind: 'enriched';
  readonly id: MemoryId;
  readonly expectedVersion: number;
  readonly causationId: string;
  readonly entities: Readonly<Record<string, readonly string[]>>;
  /** Null: the memory keeps its present summary. */
  readonly summary: string | null;
  readonly derived: readonly DerivedAssociation[];
  /** Becomes `metadata.enrichment`. */
  readonly findings: Readonly<Record<string, unknown>>;
};
/** The enrichment failed permanently, after `attempts` attempts. */
export type EnrichmentFailure = {
  readonly kind: 'failed';
  readonly id: MemoryId;
  readonly expectedVersion: number;
  readonly causationId: string;
  readonly attempts: number;
  readonly error: string;
};
/**
 * A memory of type MetaPattern that others exemplify: created when absent or deleted (`expectedVersion` 0), updated
 * when its content changes.
 */
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
 * Outcome i belongs to command i; takes at most ENRICHMENT_COMMANDS_LIMIT commands. Throws DependencyError, for
 * 'commands' when they go to another process. When the call is repeated after that, commands that had been carried out
 * are 'outdated'.
 */
export type RecordEnrichments = (commands: readonly EnrichmentCommand[]) => Promise<readonly EnrichmentOutcome[]>;

export const ENRICHMENT_COMMANDS_LIMIT = 100;
export const DERIVED_LIMIT = 100;
export const ENTITY_CATEGORY_LIMIT = 20;
/** Names in one category. */
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

const enrichmentResultSchema = {
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

const enrichmentFailureSchema = {
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

const observedPatternSchema = {
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

/** Typed as `object`: the types are declared above, and deriving them again overloads the compiler. */
export const ENRICHMENT_SCHEMAS: Readonly<Record<EnrichmentCommand['kind'], object>> = {
  enriched: enrichmentResultSchema,
  failed: enrichmentFailureSchema,
  pattern: observedPatternSchema,
};

/** Each command is validated separately, by the schema of its kind. */
const recordEnrichmentsBody = {
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

const ENRICHMENT_OUTCOMES = ['done', 'outdated', 'absent'] as const satisfies readonly EnrichmentOutcome[];

const enrichmentsReply = closed({
  status: success,
  outcomes: { type: 'array', items: { type: 'string', enum: ENRICHMENT_OUTCOMES } },
});

export const enrichmentOperations = {
  recordEnrichments: {
    method: 'POST',
    path: '/internal/enrichments',
    servedBy: 'command',
    access: 'internal',
    summary: 'Record the results of the enricher',
    body: { schema: recordEnrichmentsBody, missing: 'JSON body is required', kind: 'internal' },
    replies: { 200: enrichmentsReply },
  },
} as const satisfies Record<string, Operation>;
