/** The internal commands of the enricher to the command API, which is the only writer. */
import { DERIVED_TYPES, type DerivedAssociation } from './association.js';
import { ownedAssociations } from './event-schemas.js';
import {
  anyObject,
  commandSchema,
  commandText,
  derivedFrom,
  memoryId,
  recordCommands,
  version,
} from './internal-commands.js';
import { type MemoryId, unitInterval } from './memory.js';
import type { Operation } from './operation.js';

type OneMemory = {
  readonly id: MemoryId;
  /** As the enricher read it; with another version now, the outcome is `outdated` and nothing changes. */
  readonly expectedVersion: number;
  /** The event that caused the enrichment. */
  readonly causationId: string;
};
export type EnrichmentResult = OneMemory & {
  readonly kind: 'enriched';
  readonly entities: Readonly<Record<string, readonly string[]>>;
  /** Null: the memory keeps its present summary. */
  readonly summary: string | null;
  readonly derived: readonly DerivedAssociation[];
  /** Becomes `metadata.enrichment`. */
  readonly findings: Readonly<Record<string, unknown>>;
};
/** The enrichment failed permanently, after `attempts` attempts. */
export type EnrichmentFailure = OneMemory & {
  readonly kind: 'failed';
  readonly attempts: number;
  readonly error: string;
};
/** A MetaPattern that others exemplify: created when absent (`expectedVersion` 0), updated when it changes. */
export type ObservedPattern = OneMemory & {
  readonly kind: 'pattern';
  readonly content: string;
  /** The memories whose words it has: nothing is written when one of them is deleted meanwhile. */
  readonly derivedFrom?: readonly MemoryId[];
  readonly confidence: number;
  readonly metadata: Readonly<Record<string, unknown>>;
};
export type EnrichmentCommand = EnrichmentResult | EnrichmentFailure | ObservedPattern;

const ENRICHMENT_OUTCOMES = ['done', 'outdated', 'absent'] as const;
export type EnrichmentOutcome = (typeof ENRICHMENT_OUTCOMES)[number];
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

const shared = {
  id: memoryId,
  expectedVersion: version,
  causationId: { type: 'string', minLength: 1, maxLength: 100 },
} as const;

export const ENRICHMENT_SCHEMAS: Readonly<Record<EnrichmentCommand['kind'], object>> = {
  enriched: commandSchema('enriched', {
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
    summary: { ...commandText, type: ['string', 'null'], minLength: 0 },
    derived: { ...ownedAssociations({ enum: DERIVED_TYPES }), maxItems: DERIVED_LIMIT },
    findings: anyObject,
  }),
  failed: commandSchema('failed', {
    ...shared,
    attempts: { type: 'integer', minimum: 1 },
    error: { ...commandText, minLength: 0 },
  }),
  pattern: commandSchema(
    'pattern',
    { ...shared, content: commandText, confidence: unitInterval, metadata: anyObject },
    { derivedFrom },
  ),
};

export const enrichmentOperations = {
  recordEnrichments: recordCommands('/internal/enrichments', {
    summary: 'Record the results of the enricher',
    limit: ENRICHMENT_COMMANDS_LIMIT,
    outcomes: ENRICHMENT_OUTCOMES,
  }),
} as const satisfies Record<string, Operation>;
