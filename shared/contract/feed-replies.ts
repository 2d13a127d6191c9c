/** The answers of what reads the journal, as JSON Schema. */
import { cloudEventAttributes, cloudEventRequired } from './event-schemas.js';
import { SCHEMA_VERSIONS, type EventType } from './events.js';
import { memorySchema } from './memory.js';

/** The keys of the registry are the names on the wire; `Object.keys` forgets their type. */
export const EVENT_TYPES = Object.keys(SCHEMA_VERSIONS) as readonly EventType[];

const success = { type: 'string', const: 'success' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;

const feedEvent = {
  type: 'object',
  additionalProperties: false,
  required: cloudEventRequired,
  description: 'A CloudEvent, as it is in the stream.',
  properties: {
    ...cloudEventAttributes,
    type: { type: 'string', enum: EVENT_TYPES },
    schemaversion: { type: 'integer', minimum: 1 },
    data: { type: 'object', additionalProperties: true, description: 'Absent once its words were erased.' },
    erased: {
      type: 'boolean',
      const: true,
      description: 'Present where the words were erased, because the memory was deleted.',
    },
  },
} as const;

export const eventsReply = {
  type: 'object',
  additionalProperties: false,
  required: ['status', 'events', 'next', 'head', 'count'],
  properties: {
    status: success,
    events: { type: 'array', items: feedEvent, description: 'In the order of their positions.' },
    next: {
      ...count,
      description: 'What to ask for next, as `after`: everything up to here was answered or filtered out.',
    },
    head: {
      ...count,
      description: 'The last position of the journal when it was read: nothing is left while `next` is the same.',
    },
    count,
  },
} as const;

const memoryVersion = {
  type: 'object',
  additionalProperties: false,
  required: [
    'version',
    'revision',
    'type',
    'event_id',
    'position',
    'time',
    'actor',
    'request_id',
    'causation_id',
    'changed',
    'memory',
    'erased',
  ],
  properties: {
    version: { type: 'integer', minimum: 1 },
    revision: { type: 'integer', minimum: 1, description: 'Its ETag.' },
    type: { type: 'string', enum: EVENT_TYPES },
    event_id: { type: 'string', format: 'uuid' },
    position: { type: 'integer', minimum: 1 },
    time: text,
    actor: {
      type: 'object',
      additionalProperties: false,
      required: ['name', 'tier', 'agent'],
      properties: { name: text, tier: cloudEventAttributes.actortier, agent: textOrNull },
    },
    request_id: { ...text, description: 'The X-Request-Id of the request that it belongs to.' },
    causation_id: {
      ...textOrNull,
      description: 'The event that this one answers to; null when a caller asked for it.',
    },
    changed: {
      type: ['array', 'null'],
      items: text,
      description: 'The properties that changed; null once that was erased.',
    },
    memory: {
      ...memorySchema,
      type: ['object', 'null'],
      description: 'The whole memory as it was then; null once it was deleted or erased.',
    },
    erased: { type: 'boolean', description: 'Its words are gone, because the memory was deleted.' },
  },
} as const;

export const historyReply = {
  type: 'object',
  additionalProperties: false,
  required: ['status', 'memory_id', 'versions', 'next', 'count'],
  properties: {
    status: success,
    memory_id: { type: 'string', format: 'uuid' },
    versions: { type: 'array', items: memoryVersion, description: 'Oldest first.' },
    next: {
      type: ['integer', 'null'],
      minimum: 1,
      description: 'What to ask for next, as `after`; null when this was the last.',
    },
    count,
  },
} as const;
