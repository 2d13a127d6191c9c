/** What people ask of background work: which dead letters are tried again or given up, and which projectors stand still. */
import { DEAD_LETTERS_LIMIT } from './limits.js';
import type { QueryParameter } from './queries.js';
import { closed, count, flag, number, text } from './reply-parts.js';

export const deadLettersQuery = [
  { name: 'projector', kind: 'text', description: 'Only those of this projector.' },
  {
    name: 'after',
    kind: 'integer',
    minimum: 0,
    refuse: "'after' must be the id of a dead letter, or 0",
    description: 'Only those behind this id: the `next` of the page before.',
  },
  {
    name: 'limit',
    kind: 'integer',
    minimum: 1,
    description: `Page size; default 100, clamped to 1..${DEAD_LETTERS_LIMIT}.`,
  },
] as const satisfies readonly QueryParameter[];

/** Exactly one of the two. */
export const chosenLettersBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
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
      description: `All of this projector, the oldest ${DEAD_LETTERS_LIMIT} of them.`,
    },
  },
} as const;

const idList = { type: 'array', items: count } as const;
const moment = { type: ['string', 'null'] } as const;

export const deadLettersReply = closed({
  status: { type: 'string', const: 'success' },
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
  next: { type: ['integer', 'null'], description: 'What to ask `after` for the next page; null on the last one.' },
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
  status: { type: 'string', const: 'success' },
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
        description: 'For how long the oldest event that is not handled has been in the journal; 0 when all are.',
      },
      rate_per_second: number,
      handled: count,
      failed: count,
      dead_letters: count,
      last_error: moment,
      last_error_at: moment,
      instances: {
        type: 'array',
        items: closed({
          instance: text,
          status: { type: 'string', enum: ['running', 'paused', 'stopped', 'silent'] },
          position: count,
          rate_per_second: number,
          handled: count,
          failed: count,
          last_error: moment,
          last_error_at: moment,
          heartbeat_at: text,
          detail: { type: 'object', additionalProperties: true },
        }),
      },
    }),
  },
});
export const steeredReply = closed({ status: { type: 'string', const: 'success' }, name: text, paused: flag });
