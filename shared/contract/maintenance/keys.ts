/** Keys: credentials that administrators make for agents and people, each with scopes of its own. */
import {
  KEY_NAME_LIMIT,
  KEY_OVERLAP_HOURS,
  KEY_OVERLAP_HOURS_LIMIT,
  KEY_REQUESTS_PER_MINUTE_LIMIT,
  TAG_LENGTH_LIMIT,
} from '../limits.js';
import { type Operation, route } from '../operation.js';
import { closed, count, success, text, textOrNull } from '../reply-parts.js';
import { SCOPE_NAMES, TAGGED_KEY_SCOPES } from '../scopes.js';

/** What a key with a rate may still send, after a request. */
export type KeyQuota = {
  /** Requests in a window. */
  readonly limit: number;
  readonly windowMs: number;
  readonly remaining: number;
  /** Until the window ends. */
  readonly resetMs: number;
  /** The request is beyond the rate, and was not counted. */
  readonly isExceeded: boolean;
};

const scopes = {
  type: 'array',
  minItems: 1,
  maxItems: SCOPE_NAMES.length,
  uniqueItems: true,
  items: { type: 'string', enum: [...SCOPE_NAMES] },
  description: 'What the key may do. A key gives only scopes that it has itself.',
} as const;

export const createKeyBody = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'scopes'],
  properties: {
    name: {
      type: 'string',
      pattern: `^[A-Za-z0-9][A-Za-z0-9._@-]{0,${KEY_NAME_LIMIT - 1}}$`,
      description: 'Names the holder in events and logs; no other key has it.',
    },
    scopes,
    tag: {
      type: 'string',
      minLength: 1,
      maxLength: TAG_LENGTH_LIMIT,
      description: `The key sees and changes only memories with this tag, or one below it (agent:alice:work is below agent:alice). Memories that it stores get the tag. Such a key has no other scopes than ${TAGGED_KEY_SCOPES.join(', ')}.`,
    },
    expires_at: {
      type: 'string',
      minLength: 1,
      maxLength: 64,
      description: 'From then on the key is refused: an ISO 8601 time in the future. Without it the key never expires.',
    },
    requests_per_minute: {
      type: 'integer',
      minimum: 1,
      maximum: KEY_REQUESTS_PER_MINUTE_LIMIT,
      description: 'Requests beyond this rate get 429. Without it the key has no rate.',
    },
  },
} as const;

export const rotateKeyBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    overlap_hours: {
      type: 'number',
      minimum: 0,
      maximum: KEY_OVERLAP_HOURS_LIMIT,
      description: `How long the key before also works; default ${KEY_OVERLAP_HOURS}.`,
    },
  },
} as const;

const key = closed({
  id: { type: 'string', format: 'uuid' },
  name: text,
  scopes: { type: 'array', items: { type: 'string', enum: [...SCOPE_NAMES] } },
  tag: { ...textOrNull, description: 'Restricts it to memories with this tag, or one below it; null: it sees all.' },
  expires_at: { ...textOrNull, description: 'From then on it is refused; null: never.' },
  requests_per_minute: {
    type: ['integer', 'null'],
    minimum: 1,
    description: 'Requests beyond this rate get 429; null: no rate.',
  },
  previous_until: { ...textOrNull, description: 'Until when the key before a rotation works as well.' },
  last_used_at: { ...textOrNull, description: 'Up to a minute old; null: never used.' },
  uses: { ...count, description: 'Requests with it, without those of the last minute and those beyond its rate.' },
  created_at: text,
  updated_at: text,
});

const secret = {
  ...text,
  description: 'The key itself. Shown once: send it as Authorization: Bearer <key>, or as X-API-Key.',
} as const;

export const keysReply = closed({
  status: success,
  keys: { type: 'array', items: key, description: 'The oldest first.' },
  count,
});
/** Of a request that makes a key. */
export const keySecretReply = closed({ status: success, key, secret });
export const revokedKeyReply = closed({ status: success, id: text });

export const keyOperations = {
  createKey: {
    ...route('POST /admin/keys', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Make a key with scopes of its own',
    description:
      'Makes a key for an agent or a person. The answer shows it once; the service stores only its hash. Events name the key.',
    body: { schema: createKeyBody, missing: "JSON body with 'name' and 'scopes' required", kind: 'small' },
    replies: { 201: keySecretReply },
    alsoAnswers: [409],
  },
  listKeys: {
    ...route('GET /admin/keys', 'query', 'admin'),
    cost: 20,
    tag: 'Administration',
    summary: 'All keys, with their scopes and last use',
    description: 'Lists every key that was not revoked, without the keys themselves.',
    replies: { 200: keysReply },
  },
  rotateKey: {
    ...route('POST /admin/keys/:key_id/rotate', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Replace a key',
    description:
      'Makes a new key with the same name, scopes, tag and rate, and shows it once. Until the end of the overlap the key before works as well.',
    body: { schema: rotateKeyBody, missing: 'JSON body is required', isOptional: true, kind: 'small' },
    replies: { 200: keySecretReply },
  },
  revokeKey: {
    ...route('DELETE /admin/keys/:key_id', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Revoke a key',
    description: 'Deletes a key. Every process refuses it within a second, and ends its streams.',
    replies: { 200: revokedKeyReply },
  },
} as const satisfies Record<string, Operation>;
