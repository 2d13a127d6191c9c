/**
 * The operations for operators: list, redrive and discard dead letters; list, pause and resume projectors; the activity
 * of the last hour.
 */
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

const durationOrNull = { type: ['number', 'null'], minimum: 0 } as const;
const status = { type: 'string', enum: ['running', 'paused', 'stopped'] } as const;
export const projectorsReply = closed({
  status: success,
  head: { ...count, description: 'The last position of the journal.' },
  projectors: {
    type: 'array',
    items: closed({
      name: text,
      status,
      position: count,
      lag_events: count,
      lag_seconds: {
        ...durationOrNull,
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

/** One value for each step of time; null where it is not known. */
const countsOfSteps = (description: string) =>
  ({ type: 'array', items: { type: ['integer', 'null'], minimum: 0 }, description }) as const;
const timesOfSteps = (description: string) => ({ type: 'array', items: durationOrNull, description }) as const;

/** The steps of an answer, and the seconds of each: together one hour. */
export const ACTIVITY = { steps: 360, stepSeconds: 10 } as const;

const activityReply = closed({
  status: success,
  instance: { ...text, description: 'The process that answers. Its recalls are shown, not those of other processes.' },
  since: { ...text, description: 'The start of this process. Its recalls before this time are not known.' },
  from: { ...text, description: 'The beginning of the first step.' },
  step_seconds: count,
  steps: {
    ...closed({
      recalls: countsOfSteps('Recalls that this process answered.'),
      found_nothing: countsOfSteps('Those of them without a result.'),
      p50_ms: timesOfSteps('Half of these recalls took at most this time, within 5 %; null without a recall.'),
      p95_ms: timesOfSteps('95 % of these recalls took at most this time, within 5 %; null without a recall.'),
      stores: countsOfSteps('Stored memories, by any process.'),
      changes: countsOfSteps('Other changes by callers: of memories, associations and entities.'),
      background: countsOfSteps('Events of enrichment and consolidation.'),
    }),
    description: `${ACTIVITY.steps} values each, the oldest first. The last step is the present one, which has not ended. The first answer of a process counts the last 20,000 events of the journal, each further one the events since then; a step that was not counted is null.`,
  },
  total: {
    ...closed({
      recalls: count,
      found_nothing: count,
      p50_ms: durationOrNull,
      p95_ms: durationOrNull,
      stores: count,
      changes: count,
      background: count,
    }),
    description: 'The same of all steps together.',
  },
  projectors: {
    type: 'array',
    items: closed({ name: text, status, lag_events: count, lag_seconds: durationOrNull }),
    description: 'As in `GET /admin/projectors`.',
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
  readActivity: {
    ...route('GET /activity', 'query', 'admin'),
    cost: 20,
    tag: 'Administration',
    summary: 'Recalls, stores and changes of the last hour, and the lag of projectors',
    description:
      'The last hour in steps of ten seconds. Recalls are those that the answering process keeps in memory since its start; stores and changes are counted in the journal, so they are those of the whole service.',
    replies: { 200: activityReply },
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
