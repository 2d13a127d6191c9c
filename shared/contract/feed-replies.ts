/** The answers of the feed of events and of the history of a memory, as JSON Schema. */
import { cloudEventAttributes, cloudEventRequired } from './event-schemas.js';
import { EVENT_TYPES } from './events.js';
import { memorySchema } from './memory.js';
import { count, success, text, textOrNull } from './reply-parts.js';

export const feedEvent = {
  type: 'object',
  additionalProperties: false,
  required: cloudEventRequired,
  description: 'The same CloudEvent as in the stream.',
  properties: {
    ...cloudEventAttributes,
    type: { type: 'string', enum: EVENT_TYPES },
    schemaversion: { type: 'integer', minimum: 1 },
    data: { type: 'object', additionalProperties: true, description: 'Absent once the content is erased.' },
    erased: {
      type: 'boolean',
      const: true,
      description: 'Present when the content is erased because the memory was deleted.',
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
      description:
        'The value of `after` for the next request: every event up to this position was returned or filtered out.',
    },
    head: {
      ...count,
      description: 'The last position of the journal at the time of the read: nothing is left when `next` equals it.',
    },
    count,
  },
} as const;

export const memoryVersion = {
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
    revision: { type: 'integer', minimum: 1, description: 'The ETag of this version.' },
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
    request_id: { ...text, description: 'The X-Request-Id of the request that wrote this version.' },
    causation_id: {
      ...textOrNull,
      description: 'The id of the event that caused this one; null when a caller caused it.',
    },
    changed: {
      type: ['array', 'null'],
      items: text,
      description: 'The properties that changed; null once they are erased.',
    },
    memory: {
      ...memorySchema,
      type: ['object', 'null'],
      description: 'The whole memory at this version; null for a deletion and once it is erased.',
    },
    erased: { type: 'boolean', description: 'The content is erased because the memory was deleted.' },
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
      description: 'The value of `after` for the next request; null after the last version.',
    },
    count,
  },
} as const;
