/** GET /events and GET /memory/:id/history: the feed of events and the history of a memory. */
import { optionalAttributes, requiredAttributes } from './event-schemas.js';
import { EVENT_TYPES } from './events.js';
import { FEED_LIMIT, FEED_SCAN_LIMIT, FEED_WAIT_LIMIT_SECONDS, HISTORY_LIMIT, LIST_LIMIT } from './limits.js';
import { memorySchema } from './memory.js';
import { type Operation, route } from './operation.js';
import type { QueryParameter } from './queries.js';
import { closed, count, success, text, textOrNull } from './reply-parts.js';

/** The largest version that the databases accept. */
const LAST_VERSION = 2 ** 31 - 1;

/** A filter can read FEED_SCAN_LIMIT positions to find one event. */
const FILTERED_COST = 60;

export const eventsQuery = [
  {
    name: 'after',
    kind: 'position',
    refuse: "'after' must be a position of the journal: take it from `next`, or 0 for the beginning",
    advice: 'start again from 0, the beginning',
    description: 'Only events after this position: `next` of the previous answer. Default 0, the beginning.',
  },
  {
    name: 'type',
    kind: 'list',
    maximumItems: LIST_LIMIT,
    description: `Only events of these types. One request reads at most ${FEED_SCAN_LIMIT} positions, so an answer without events is the end only when \`next\` equals \`head\`.`,
  },
  {
    name: 'subject',
    kind: 'text',
    description: 'Only events of this memory or key, by its id, or of this association, by its `source|TYPE|target`.',
  },
  {
    name: 'limit',
    kind: 'integer',
    minimum: 1,
    maximum: FEED_LIMIT,
    description: `Default 100, clamped to 1..${FEED_LIMIT}; large events make an answer shorter.`,
  },
  {
    name: 'wait',
    kind: 'number',
    minimum: 0,
    maximum: FEED_WAIT_LIMIT_SECONDS,
    description: `Seconds to wait for an event when there is none yet; default 0, clamped to 0..${FEED_WAIT_LIMIT_SECONDS}.`,
  },
] as const satisfies readonly QueryParameter[];

export const historyQuery = [
  {
    name: 'after',
    kind: 'integer',
    minimum: 0,
    maximum: LAST_VERSION,
    refuse: "'after' must be a version of the memory: take it from `next`, or 0 for the beginning",
    description: 'Only versions after this one: `next` of the previous answer. Default 0, the beginning.',
  },
  {
    name: 'limit',
    kind: 'integer',
    minimum: 1,
    maximum: HISTORY_LIMIT,
    description: `Default 50, clamped to 1..${HISTORY_LIMIT}; large versions make an answer shorter.`,
  },
] as const satisfies readonly QueryParameter[];

const known = { type: 'string', enum: EVENT_TYPES } as const;
export const feedEvent = {
  ...closed(
    { ...requiredAttributes, type: known, schemaversion: { type: 'integer', minimum: 1 } },
    {
      ...optionalAttributes,
      data: { type: 'object', additionalProperties: true, description: 'Absent once the content is erased.' },
      erased: {
        type: 'boolean',
        const: true,
        description: 'Present when the content is erased because the memory was deleted.',
      },
    },
  ),
  description: 'The same CloudEvent as in the stream.',
} as const;

const eventsReply = closed({
  status: success,
  events: { type: 'array', items: feedEvent, description: 'In the order of their positions.' },
  next: {
    ...text,
    description:
      'The value of `after` for the next request, to be kept as it is: every event up to this position was returned or filtered out.',
  },
  head: {
    ...text,
    description: 'The last position of the journal at the time of the read: nothing is left when `next` equals it.',
  },
  count,
});

export const memoryVersion = closed({
  version: { type: 'integer', minimum: 1 },
  revision: { type: 'integer', minimum: 1, description: 'The ETag of this version.' },
  type: known,
  event_id: { type: 'string', format: 'uuid' },
  position: { type: 'integer', minimum: 1 },
  time: text,
  actor: closed({ name: text, tier: requiredAttributes.actortier, agent: textOrNull }),
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
});

const historyReply = closed({
  status: success,
  memory_id: { type: 'string', format: 'uuid' },
  versions: { type: 'array', items: memoryVersion, description: 'Oldest first.' },
  next: {
    type: ['integer', 'null'],
    minimum: 1,
    description: 'The value of `after` for the next request; null after the last version.',
  },
  count,
});

export const feedOperations = {
  listEvents: {
    ...route('GET /events', 'query', 'api'),
    tag: 'Events',
    summary: 'Read the journal of events, in order and from any position',
    description: 'Reads committed events in the order of their positions; `wait` holds the request until there is one.',
    cost: ({ limit = 100, type, subject }) =>
      4 + Number(limit) / 20 + (type === undefined && subject === undefined ? 0 : FILTERED_COST),
    query: eventsQuery,
    replies: { 200: eventsReply },
  },
  listHistory: {
    ...route('GET /memory/:id/history', 'query', 'api'),
    tag: 'Events',
    summary: 'Every version of a memory, even of a deleted one',
    description: 'Every version of a memory with the event that made it, oldest first.',
    cost: 4,
    query: historyQuery,
    replies: { 200: historyReply },
  },
} as const satisfies Record<string, Operation>;
