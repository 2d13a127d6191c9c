/** The live stream for clients: its operations, parameters and answers. */
import { type Operation, route } from './operation.js';
import type { QueryParameter } from './queries.js';
import { closed, count, text } from './reply-parts.js';

/** For a client whose position belongs to another history. */
export const STREAM_ADVICE = 'leave it out for new events, or start again with after=0';

const streamQuery = [
  {
    name: 'after',
    kind: 'position',
    refuse: "'after' must be a position of the journal: take it from the id of an event, or 0 for the beginning",
    advice: STREAM_ADVICE,
    description:
      'Starts after this position of the journal. Without it and without Last-Event-ID: starts with new events.',
  },
  {
    name: 'only',
    kind: 'choice',
    choices: ['events', 'activity'],
    refuse: "'only' must be 'events' or 'activity'",
    description:
      '`events`: all journalled events, each with its position as id. `activity`: lossy frames without ids. Default both.',
  },
] as const satisfies readonly QueryParameter[];

const streamReply = {
  type: 'string',
  description:
    'An endless sequence of frames `data: {"type", "timestamp", "data"}`. Journalled events have `id:` and a CloudEvent as data; they come in the order of their ids, at least once. ' +
    'Frames without an id are lossy: `memory.store`, `memory.recall`, frames of background work, `webhook.disabled` when the receiver of a webhook failed for too long, and `stream.dropped` with the number of frames that a slow client missed. Lines that begin with a colon are comments.',
} as const;

const streamStatusReply = closed({
  subscribers: {
    ...count,
    description: 'Clients of the stream at this instance; other instances of the deployment have their own.',
  },
  instance: { ...text, description: 'The name of this instance.' },
});

export const streamOperations = {
  stream: {
    ...route('GET /stream', 'query', 'api'),
    tag: 'Events',
    summary: 'Watch events and activity live, as server-sent events',
    description: 'Sends events as they are committed, and lossy frames about activity, until one side disconnects.',
    cost: 20, // until it has sent the events before it
    query: streamQuery,
    stream: true,
    replies: { 200: streamReply },
  },
  streamStatus: {
    ...route('GET /stream/status', 'query', 'api'),
    tag: 'Events',
    summary: 'Number of clients of the live stream at this instance',
    description: 'How many clients watch the live stream of this instance.',
    replies: { 200: streamStatusReply },
  },
} as const satisfies Record<string, Operation>;
