/**
 * The data of every event type as JSON Schema, and the CloudEvent that carries it to other systems. These schemas
 * describe the events we write, so they allow no further properties; the published schemas allow future properties. A
 * test compares them with `events.ts`.
 */
import { ASSOCIATION_TYPES, type AssociationType, DERIVED_TYPES } from './association.js';
import { entityRecordSchema } from './entities/entity-record.js';
import type { EventType } from './events.js';
import { memorySchema, unitInterval } from './memory.js';

const text = { type: 'string' } as const;
const changed = { type: 'array', items: text, description: 'The properties that this event changed.' } as const;
const vectorRef = {
  type: ['string', 'null'],
  description: 'Reference of a supplied embedding; null when the service embeds the content.',
} as const;

const memoryUpdated = {
  type: 'object',
  additionalProperties: false,
  required: ['memory', 'vectorRef', 'changed'],
  properties: { memory: { ...memorySchema, description: 'The whole memory after the event.' }, vectorRef, changed },
} as const;
const memoryStored = {
  ...memoryUpdated,
  properties: {
    ...memoryUpdated.properties,
    originalLength: {
      type: 'integer',
      minimum: 1,
      description: 'Present when the content is a summary: the length of the original in characters.',
    },
  },
} as const;

const memoryEnriched = {
  ...memoryUpdated,
  required: [...memoryUpdated.required, 'derived'],
  properties: {
    ...memoryUpdated.properties,
    derived: {
      type: 'array',
      description: 'All derived associations of the memory; they replace the previous ones.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['target', 'type', 'strength', 'properties'],
        properties: {
          target: { type: 'string', format: 'uuid' },
          type: { type: 'string', enum: DERIVED_TYPES },
          strength: unitInterval,
          properties: { type: 'object', additionalProperties: true },
        },
      },
    },
  },
} as const;
const enrichmentRequested = {
  ...memoryUpdated,
  required: [...memoryUpdated.required, 'forced'],
  properties: {
    ...memoryUpdated.properties,
    forced: { type: 'boolean', description: 'True: enrich this version even if it was enriched before.' },
  },
} as const;
const enrichmentFailed = {
  ...memoryUpdated,
  required: [...memoryUpdated.required, 'attempts', 'error'],
  properties: { ...memoryUpdated.properties, attempts: { type: 'integer', minimum: 1 }, error: text },
} as const;

const reason = { ...text, description: 'Why consolidation made this change.' } as const;
const memoryConsolidated = {
  ...memoryUpdated,
  required: [...memoryUpdated.required, 'reason'],
  properties: { ...memoryUpdated.properties, reason },
} as const;

const clusterChanged = {
  ...memoryConsolidated,
  required: [...memoryConsolidated.required, 'derived'],
  properties: {
    ...memoryConsolidated.properties,
    derived: {
      type: 'array',
      description: 'The members of the cluster; they replace the previous ones.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['target', 'type', 'strength', 'properties'],
        properties: {
          target: { type: 'string', format: 'uuid' },
          type: { type: 'string', const: 'SUMMARIZES' },
          strength: unitInterval,
          properties: { type: 'object', additionalProperties: true },
        },
      },
    },
  },
} as const;

/** Without the type of the associations that a meta memory owns. `Object.keys` loses the type of the keys. */
const associationTypes = Object.keys(ASSOCIATION_TYPES).filter((type) => type !== 'SUMMARIZES') as AssociationType[];
const association = {
  type: 'object',
  additionalProperties: false,
  required: ['association', 'changed'],
  properties: {
    association: {
      type: 'object',
      additionalProperties: false,
      required: ['source', 'target', 'type', 'strength', 'properties', 'created_at', 'updated_at'],
      description: 'The whole association after the event.',
      properties: {
        source: { type: 'string', format: 'uuid' },
        target: { type: 'string', format: 'uuid' },
        type: { type: 'string', enum: associationTypes },
        strength: unitInterval,
        properties: { type: 'object', additionalProperties: true },
        created_at: text,
        updated_at: text,
      },
    },
    changed,
    reason,
  },
} as const;

const entityChanged = {
  type: 'object',
  additionalProperties: false,
  required: ['entity', 'changed'],
  properties: { entity: { ...entityRecordSchema, description: 'The whole record after the event.' }, changed, reason },
} as const;

/** The schemas of the present schema versions. */
export const EVENT_DATA_SCHEMAS = {
  'memory.stored': memoryStored,
  'memory.updated': memoryUpdated,
  'memory.enriched': memoryEnriched,
  'memory.enrichment.requested': enrichmentRequested,
  'memory.enrichment.failed': enrichmentFailed,
  'memory.relevance.changed': memoryConsolidated,
  'memory.archived': memoryConsolidated,
  'memory.restored': memoryConsolidated,
  'memory.cluster.changed': clusterChanged,
  'memory.deleted': {
    type: 'object',
    additionalProperties: false,
    properties: { reason },
    description: 'The associations of the memory are deleted with it.',
  },
  'association.created': association,
  'association.updated': association,
  'entity.merged': entityChanged,
  'entity.updated': entityChanged,
} as const satisfies Record<EventType, object>;

export const EVENT_SUMMARIES = {
  'memory.stored': 'A memory was stored.',
  'memory.updated': 'A memory was changed.',
  'memory.enriched': 'A memory was enriched: its entities, its summary and its derived associations.',
  'memory.enrichment.requested': 'A new enrichment of a memory was requested.',
  'memory.enrichment.failed': 'The enrichment of a memory failed after the last attempt.',
  'memory.relevance.changed':
    'The relevance of a memory changed noticeably with its age, its use and its associations.',
  'memory.archived': 'A memory was archived: reads of the current state leave it out.',
  'memory.restored': 'An archived memory was restored.',
  'memory.cluster.changed': 'A meta memory got other members, or another text.',
  'memory.deleted': 'A memory and all its associations were deleted.',
  'association.created': 'Two memories were associated.',
  'association.updated': 'An association was updated.',
  'entity.merged': 'An entity was merged into another one.',
  'entity.updated': 'An entity got other aliases, or another identity.',
} as const satisfies Record<EventType, string>;

/**
 * The attributes of our CloudEvents, except the ones that depend on the event type: `type`, `schemaversion` and `data`.
 */
export const cloudEventAttributes = {
  specversion: { type: 'string', const: '1.0' },
  id: {
    type: 'string',
    format: 'uuid',
    description: 'The same in every delivery of the event: use it to ignore duplicates.',
  },
  source: { type: 'string', const: '/palimpsest' },
  subject: { type: 'string', description: "The id of the memory or entity, or an association's `source|TYPE|target`." },
  time: { type: 'string', format: 'date-time' },
  datacontenttype: { type: 'string', const: 'application/json' },
  position: {
    type: 'integer',
    minimum: 1,
    description: 'Position in the journal. Increases over all events, with gaps.',
  },
  version: { type: 'integer', minimum: 1, description: 'Counts every event of the subject, from 1, without gaps.' },
  revision: {
    type: 'integer',
    minimum: 1,
    description: 'The ETag of the subject: increases only with commands of callers.',
  },
  partitionkey: {
    type: 'string',
    description: 'Events with the same key arrive in order. It is the key of the Kafka record.',
  },
  actorname: { type: 'string', description: 'The name of the token that caused the event.' },
  actortier: { type: 'string', enum: ['open', 'api', 'admin', 'internal'] },
  actoragent: { type: 'string', description: 'The User-Agent of the caller.' },
  correlationid: { type: 'string', description: 'The X-Request-Id of the request that the event belongs to.' },
  causationid: {
    type: 'string',
    description: 'The id of the event that caused this one; absent when a caller caused it.',
  },
  traceparent: { type: 'string', description: 'W3C Trace Context.' },
  tenant: { type: 'string', description: 'Reserved.' },
} as const;

export const cloudEventRequired = [
  'specversion',
  'id',
  'source',
  'type',
  'subject',
  'time',
  'datacontenttype',
  'position',
  'version',
  'revision',
  'schemaversion',
  'partitionkey',
  'actorname',
  'actortier',
  'correlationid',
] as const;
