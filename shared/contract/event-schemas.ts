/**
 * The data of every event type as JSON Schema, and the CloudEvent that carries it to other systems. They say what we write, so they are
 * closed; what is published for consumers is open to properties that are yet to come. A test holds these schemas and `events.ts` together.
 */
import { ASSOCIATION_TYPES, DERIVED_TYPES, type AssociationType } from './association.js';
import type { EventType } from './events.js';
import { memorySchema, unitInterval } from './memory.js';

const text = { type: 'string' } as const;
const changed = { type: 'array', items: text, description: 'The properties that this event changed.' } as const;
const vectorRef = {
  type: ['string', 'null'],
  description: 'Where a supplied embedding is kept; null when the content is embedded.',
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
      description: 'Where the content is a summary: the characters of what was sent.',
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
      description: 'All associations that the memory owns from now on: they take the place of those before.',
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
    forced: { type: 'boolean', description: 'Whatever was done for this version before.' },
  },
} as const;
const enrichmentFailed = {
  ...memoryUpdated,
  required: [...memoryUpdated.required, 'attempts', 'error'],
  properties: { ...memoryUpdated.properties, attempts: { type: 'integer', minimum: 1 }, error: text },
} as const;

/** The keys of the registry are the names on the wire; `Object.keys` forgets their type. */
const associationTypes = Object.keys(ASSOCIATION_TYPES) as AssociationType[];
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
  },
} as const;

/** The present schema version of each. */
export const EVENT_DATA_SCHEMAS = {
  'memory.stored': memoryStored,
  'memory.updated': memoryUpdated,
  'memory.enriched': memoryEnriched,
  'memory.enrichment.requested': enrichmentRequested,
  'memory.enrichment.failed': enrichmentFailed,
  'memory.deleted': {
    type: 'object',
    additionalProperties: false,
    properties: {},
    description: 'Its associations are gone with it.',
  },
  'association.created': association,
  'association.updated': association,
} as const satisfies Record<EventType, object>;

export const EVENT_SUMMARIES = {
  'memory.stored': 'A memory was stored.',
  'memory.updated': 'A memory was changed.',
  'memory.enriched': 'What a memory says was worked out: its entities, its summary and the associations it owns.',
  'memory.enrichment.requested': 'A memory is to be enriched again.',
  'memory.enrichment.failed': 'A memory could not be enriched, and is not tried again by itself.',
  'memory.deleted': 'A memory was deleted, and every association of it.',
  'association.created': 'Two memories were associated.',
  'association.updated': 'An association was written again.',
} as const satisfies Record<EventType, string>;

/** The attributes of a CloudEvent of ours, without what its type decides: `type`, `schemaversion` and `data`. */
export const cloudEventAttributes = {
  specversion: { type: 'string', const: '1.0' },
  id: { type: 'string', format: 'uuid', description: 'The same whenever the event is delivered again: dedupe by it.' },
  source: { type: 'string', const: '/palimpsest' },
  subject: { type: 'string', description: "The memory's id, or an association's `source|TYPE|target`." },
  time: { type: 'string', format: 'date-time' },
  datacontenttype: { type: 'string', const: 'application/json' },
  position: {
    type: 'integer',
    minimum: 1,
    description: 'Where the event stands in the journal. Grows over all events, not without gaps.',
  },
  version: { type: 'integer', minimum: 1, description: 'Counts every event of the subject, from 1, without holes.' },
  revision: { type: 'integer', minimum: 1, description: "The subject's ETag: moves only with commands of callers." },
  partitionkey: {
    type: 'string',
    description: 'Events with the same key arrive in order. It is the key of the record.',
  },
  actorname: { type: 'string', description: 'Who caused it: the name of the token.' },
  actortier: { type: 'string', enum: ['open', 'api', 'admin', 'internal'] },
  actoragent: { type: 'string', description: 'The User-Agent of the caller.' },
  correlationid: { type: 'string', description: 'The X-Request-Id of the request that it belongs to.' },
  causationid: {
    type: 'string',
    description: 'The event that this one answers to; absent when a caller asked for it.',
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
