/** The operations for operators: list, redrive and discard dead letters; list, pause and resume projectors. */
import { DEAD_LETTERS_LIMIT } from './limits.js';
import { type Operation, route } from './operation.js';
import type { QueryParameter } from './queries.js';
import { closed, count, flag, number, success, text, textOrNull } from './reply-parts.js';

export const deadLettersQuery = [
  { name: 'projector', kind: 'text', description: 'Only dead letters of this projector.' },
  {
    name: 'after',
    kind: 'integer',
    minimum: 0,
    refuse: "'after' must be the id of a dead letter, or 0",
    description: 'Only dead letters after this id: `next` of the previous page.',
  },
  {
    name: 'limit',
    kind: 'integer',
    minimum: 1,
    description: `Page size; default 100, clamped to 1..${DEAD_LETTERS_LIMIT}.`,
  },
] as const satisfies readonly QueryParameter[];

const chosenLetters = {
  ids: {
    type: 'array',
    minItems: 1,
    maxItems: DEAD_LETTERS_LIMIT,
    items: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  },
  projector: {
    type: 'string',
    minLength: 1,
    maxLength: 100,
    description: `The oldest ${DEAD_LETTERS_LIMIT} dead letters of this projector.`,
  },
} as const;

const { ids, projector } = chosenLetters;
/** Exactly one of the two properties; the command API checks that. */
const chosenLetterBody = {
  schema: { type: 'object', additionalProperties: false, properties: chosenLetters },
  forms: { oneOf: [closed({ ids }), closed({ projector })] },
  missing: "JSON body with 'ids' or 'projector' required",
  kind: 'small',
} as const;

const idList = { type: 'array', items: count } as const;

export const deadLettersReply = closed({
  status: success,
  dead_letters: {
    type: 'array',
    items: closed({
      id: count,
      projector: text,
      event_id: text,
      type: text,
      subject: text,
      version: count,
      position: count,
      reason: text,
      attempts: count,
      at: text,
      age_seconds: number,
      awaits_redrive: flag,
    }),
  },
  count,
  total: count,
  next: { type: ['integer', 'null'], description: 'The value of `after` for the next page; null on the last page.' },
});
export const redriveReply = closed({
  status: { type: 'string', const: 'queued' },
  count,
  ids: idList,
  superseded: idList,
  unknown: idList,
});
export const discardReply = closed({
  status: { type: 'string', const: 'discarded' },
  count,
  ids: idList,
  unknown: idList,
});

const seconds = { type: ['number', 'null'], minimum: 0 } as const;
export const projectorsReply = closed({
  status: success,
  head: { ...count, description: 'The last position of the journal.' },
  projectors: {
    type: 'array',
    items: closed({
      name: text,
      status: { type: 'string', enum: ['running', 'paused', 'stopped'] },
      position: count,
      lag_events: count,
      lag_seconds: {
        ...seconds,
        description: 'Time since the oldest unhandled event entered the journal; 0 when every event is handled.',
      },
      rate_per_second: number,
      handled: count,
      failed: count,
      dead_letters: count,
      last_error: textOrNull,
      last_error_at: textOrNull,
      instances: {
        type: 'array',
        items: closed({
          instance: text,
          status: { type: 'string', enum: ['running', 'paused', 'stopped', 'silent'] },
          position: count,
          rate_per_second: number,
          handled: count,
          failed: count,
          last_error: textOrNull,
          last_error_at: textOrNull,
          heartbeat_at: text,
          detail: { type: 'object', additionalProperties: true },
        }),
      },
    }),
  },
});
export const controlReply = closed({ status: success, name: text, paused: flag });

export const adminOperations = {
  listDeadLetters: {
    ...route('GET /admin/dead-letters', 'query', 'admin'),
    tag: 'Administration',
    summary: 'Events that a projector could not project, page by page',
    description: 'Lists events that failed permanently, oldest first.',
    query: deadLettersQuery,
    replies: { 200: deadLettersReply },
  },
  redriveDeadLetters: {
    ...route('POST /admin/dead-letters/redrive', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Try dead letters again',
    description: 'Lets the projector try these events again, chosen by id or by projector.',
    body: chosenLetterBody,
    replies: { 202: redriveReply },
  },
  discardDeadLetters: {
    ...route('POST /admin/dead-letters/discard', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Discard dead letters',
    description: 'Removes dead letters, chosen by id or by projector; their events stay in the journal.',
    body: chosenLetterBody,
    replies: { 200: discardReply },
  },
  listProjectors: {
    ...route('GET /admin/projectors', 'query', 'admin'),
    tag: 'Administration',
    summary: 'State of each projector and of its instances',
    description: 'Position, lag, counters and instances of each projector.',
    replies: { 200: projectorsReply },
  },
  pauseProjector: {
    ...route('POST /admin/projectors/:name/pause', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Pause a projector, in all its instances',
    description: 'Stops a projector after its present batch, until it is resumed.',
    replies: { 200: controlReply },
  },
  resumeProjector: {
    ...route('POST /admin/projectors/:name/resume', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Resume a projector',
    description: 'Lets a paused projector go on.',
    replies: { 200: controlReply },
  },
} as const satisfies Record<string, Operation>;
