/** The live stream as clients see it: what they may ask of it, and what it answers. */
import type { QueryParameter } from './queries.js';

export const streamQuery = [
  {
    name: 'after',
    kind: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    refuse: "'after' must be a position of the journal, a whole number from 0",
    description:
      'Begins behind this position of the journal; without it, and without Last-Event-ID, with what happens from now on.',
  },
  {
    name: 'only',
    kind: 'choice',
    choices: ['events', 'activity'],
    refuse: "'only' must be 'events' or 'activity'",
    description:
      '`events`: what is journalled, each with its position as id, none left out. `activity`: what happens in passing, without ids. Default both.',
  },
] as const satisfies readonly QueryParameter[];

export const streamReply = {
  type: 'string',
  description:
    'Frames of `data: {"type", "timestamp", "data"}`, without an end. Journalled events have `id:` and a CloudEvent as data; they come in the order of their ids, at least once. ' +
    'Frames without an id are lossy: `memory.store`, `memory.recall`, what background work tells, and `stream.dropped` with the count of those that a slow client has missed. Lines that begin with a colon are comments.',
} as const;

export const streamStatusReply = {
  type: 'object',
  additionalProperties: false,
  required: ['subscribers', 'instance'],
  properties: {
    subscribers: {
      type: 'integer',
      minimum: 0,
      description: 'Clients that watch at the instance that answers; the others of a deployment have theirs.',
    },
    instance: { type: 'string', description: 'The name of that instance.' },
  },
} as const;
