/** Webhooks: addresses that get the events of the journal, signed as Standard Webhooks asks. */
import { EVENT_TYPES } from '../events.js';
import { TAG_LENGTH_LIMIT } from '../limits.js';
import { type Operation, route } from '../operation.js';
import type { QueryParameter } from '../queries.js';
import { closed, count, number, success, text, textList, textOrNull } from '../reply-parts.js';

/** Webhooks of one deployment. Each reads the journal by itself. */
export const WEBHOOKS_LIMIT = 100;
export const WEBHOOK_URL_LIMIT = 2_048;
export const WEBHOOK_DESCRIPTION_LIMIT = 500;
export const WEBHOOK_TAGS_LIMIT = 20;
/** Deliveries in one answer of the log. */
export const DELIVERIES_LIMIT = 500;
/** How long the log keeps an event that was delivered. */
export const DELIVERY_RETENTION_MS = 7 * 24 * 60 * 60 * 1_000;
/** A webhook with an event that cannot be delivered for this long is disabled. */
export const WEBHOOK_GIVE_UP_MS = 24 * 60 * 60 * 1_000;
/** How long the secret before a rotation still signs, in hours. */
export const SECRET_OVERLAP_HOURS = 24;
export const SECRET_OVERLAP_HOURS_LIMIT = 168;

/** The reason of a webhook that nothing else disabled. */
export const DISABLED_BY_ADMINISTRATOR = 'Disabled by an administrator';

/** The frame of the live stream about a webhook that was disabled because its receiver failed. */
export const WEBHOOK_DISABLED = 'webhook.disabled';

/** `delivered`: the receiver answered 2xx. `failing`: the last attempt failed; another one follows. */
export const DELIVERY_STATES = ['delivered', 'failing'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const url = { type: 'string', minLength: 1, maxLength: WEBHOOK_URL_LIMIT } as const;
const description = { type: 'string', maxLength: WEBHOOK_DESCRIPTION_LIMIT } as const;
const types = {
  type: 'array',
  maxItems: EVENT_TYPES.length,
  uniqueItems: true,
  items: { type: 'string', enum: [...EVENT_TYPES] },
  description: 'The types of events to send; all types when empty.',
} as const;
const tags = {
  type: 'array',
  maxItems: WEBHOOK_TAGS_LIMIT,
  uniqueItems: true,
  items: { type: 'string', minLength: 1, maxLength: TAG_LENGTH_LIMIT },
  description:
    'Only events of memories with one of these tags, or with a tag below one of them; all events when empty. `memory.deleted` carries no tags and is always sent.',
} as const;
const position = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;

export const createWebhookBody = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: { ...url, description: 'Where events are sent by POST: an https address.' },
    description,
    types,
    tags,
    after: {
      ...position,
      description: 'Sends the events after this position of the journal; without it, those from now on.',
    },
  },
} as const;

export const updateWebhookBody = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    url,
    description,
    types,
    tags,
    enabled: {
      type: 'boolean',
      description: '`true` enables a webhook that was disabled: it continues where it stopped.',
    },
  },
} as const;

export const rotateSecretBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    overlap_hours: {
      type: 'number',
      minimum: 0,
      maximum: SECRET_OVERLAP_HOURS_LIMIT,
      description: `How long events are also signed with the secret before; default ${SECRET_OVERLAP_HOURS}.`,
    },
  },
} as const;

export const replayWebhookBody = {
  type: 'object',
  additionalProperties: false,
  required: ['after'],
  properties: {
    after: {
      ...position,
      description:
        'Events after this position of the journal are sent again. After a later position than that of the webhook, it skips the events between both.',
    },
  },
} as const;

const webhook = closed({
  id: { type: 'string', format: 'uuid' },
  url: text,
  description: text,
  types: textList,
  tags: textList,
  enabled: { type: 'boolean' },
  disabled_reason: { ...textOrNull, description: 'Why it is disabled; null while it is enabled.' },
  position: {
    ...count,
    description: 'Every event up to this position of the journal is delivered, or is none that it asks for.',
  },
  lag_events: { ...count, description: 'Positions of the journal after `position`.' },
  failing_since: { ...textOrNull, description: 'Since when the oldest event that it waits for has failed.' },
  last_error: { ...textOrNull, description: 'Of the last attempt that failed; null after `position` has moved.' },
  previous_secret_until: { ...textOrNull, description: 'Until when the secret before a rotation signs as well.' },
  created_at: text,
  updated_at: text,
});

const secret = {
  ...text,
  description: 'Signs the events (`whsec_` and base64). Shown once: keep it where the receiver verifies signatures.',
} as const;

const deliveriesQuery = [
  {
    name: 'state',
    kind: 'choice',
    choices: DELIVERY_STATES,
    refuse: `'state' must be ${DELIVERY_STATES.map((state) => `'${state}'`).join(' or ')}`,
    description: 'Only deliveries in this state.',
  },
  {
    name: 'before',
    kind: 'integer',
    minimum: 1,
    refuse: "'before' must be a position of the journal: take it from `next` of the page before",
    description: 'Only deliveries of events before this position: `next` of the page before.',
  },
  {
    name: 'limit',
    kind: 'integer',
    minimum: 1,
    description: `Page size; default 100, clamped to 1..${DELIVERIES_LIMIT}.`,
  },
] as const satisfies readonly QueryParameter[];

export const webhookReply = closed({ status: success, webhook });
/** Of a request that makes a secret. */
export const webhookSecretReply = closed({ status: success, webhook, secret });
export const webhooksReply = closed({
  status: success,
  webhooks: { type: 'array', items: webhook, description: 'The oldest first.' },
  count,
});
export const deletedWebhookReply = closed({ status: success, id: text });
export const deliveriesReply = closed({
  status: success,
  deliveries: {
    type: 'array',
    items: closed({
      position: count,
      event_id: text,
      type: text,
      subject: text,
      state: { type: 'string', enum: [...DELIVERY_STATES] },
      attempts: count,
      http_status: { type: ['integer', 'null'], description: 'Of the last answer; null without an answer.' },
      error: { ...textOrNull, description: 'Why the last attempt failed.' },
      duration_ms: number,
      first_attempt_at: text,
      last_attempt_at: text,
      next_attempt_at: textOrNull,
    }),
    description: 'The newest event first.',
  },
  count,
  next: { type: ['integer', 'null'], description: 'The value of `before` for the next page; null on the last page.' },
});

export const webhookOperations = {
  createWebhook: {
    ...route('POST /admin/webhooks', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Send events to an address',
    description:
      'Registers an address that gets the events of the journal by POST, at least once, those of one memory in order. The answer shows the secret of the signatures once.',
    body: { schema: createWebhookBody, missing: "JSON body with 'url' required", kind: 'small' },
    replies: { 201: webhookSecretReply },
    alsoAnswers: [409],
  },
  listWebhooks: {
    ...route('GET /admin/webhooks', 'query', 'admin'),
    tag: 'Administration',
    summary: 'All webhooks, with how far each one is',
    description: 'Lists every webhook with its position, and with its last error while its receiver fails.',
    replies: { 200: webhooksReply },
  },
  getWebhook: {
    ...route('GET /admin/webhooks/:webhook', 'query', 'admin'),
    tag: 'Administration',
    summary: 'One webhook',
    description: 'One webhook with its position, and with its last error while its receiver fails.',
    replies: { 200: webhookReply },
  },
  updateWebhook: {
    ...route('PATCH /admin/webhooks/:webhook', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Change, enable or disable a webhook',
    description: 'Changes what is named. A new choice of types or tags holds for events that are not yet sent.',
    body: { schema: updateWebhookBody, missing: 'JSON body with what to change required', kind: 'small' },
    replies: { 200: webhookReply },
  },
  deleteWebhook: {
    ...route('DELETE /admin/webhooks/:webhook', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Delete a webhook and its log',
    description: 'Deletes a webhook with its log. A delivery that has begun may still reach the receiver.',
    replies: { 200: deletedWebhookReply },
  },
  rotateWebhookSecret: {
    ...route('POST /admin/webhooks/:webhook/rotate-secret', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Replace the secret of a webhook',
    description:
      'Makes a new secret and shows it once. Until the end of the overlap each event carries two signatures, of the new and of the previous secret.',
    body: { schema: rotateSecretBody, missing: 'JSON body is required', isOptional: true, kind: 'small' },
    replies: { 200: webhookSecretReply },
  },
  replayWebhook: {
    ...route('POST /admin/webhooks/:webhook/replay', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Send events again from a position',
    description: 'Sets the webhook back to a position of the journal: it sends every event after it again.',
    body: { schema: replayWebhookBody, missing: "JSON body with 'after' required", kind: 'small' },
    replies: { 200: webhookReply },
  },
  listWebhookDeliveries: {
    ...route('GET /admin/webhooks/:webhook/deliveries', 'query', 'admin'),
    tag: 'Administration',
    summary: 'What a webhook delivered in the last 7 days, and what fails',
    description: 'Lists the deliveries of one webhook by position, newest first.',
    query: deliveriesQuery,
    replies: { 200: deliveriesReply },
  },
} as const satisfies Record<string, Operation>;
