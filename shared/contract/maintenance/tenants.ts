/** Tenants: closed spaces of memories in one service. The key of a caller decides which one it reads and changes. */
import { TENANT_NAME_LIMIT, TENANT_REASON_LIMIT } from '../limits.js';
import { type Operation, route } from '../operation.js';
import { closed, count, flag, success, text, textOrNull } from '../reply-parts.js';
import { createKeyBody, keySecretReply } from './keys.js';

/** The tenant of the tokens of the environment, of the keys that name no tenant, and of callers without a token. */
export const DEFAULT_TENANT = 'default';

export const TENANT_STATES = ['active', 'suspended', 'deleting'] as const;
export type TenantState = (typeof TENANT_STATES)[number];

export const createTenantBody = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: {
      type: 'string',
      pattern: `^[a-z0-9][a-z0-9-]{0,${TENANT_NAME_LIMIT - 1}}$`,
      description: `Names the tenant in its events and in logs; no other tenant has it. ${DEFAULT_TENANT} is taken.`,
    },
  },
} as const;

const limit = (description: string) =>
  ({ type: ['integer', 'null'], minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description }) as const;
/** Null: no limit. */
const limits = {
  requests_per_minute: limit('Requests beyond this rate get 429. Each process counts those that it serves.'),
  writes_per_minute: limit('Requests that change memories or associations, beyond this rate, get 429.'),
  memories: limit('With so many memories, requests that add some get 422. The count is up to two seconds old.'),
  bytes: limit('With so many bytes, requests that add memories get 422. The count is up to two seconds old.'),
} as const;

export const updateTenantBody = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    suspended: { type: 'boolean', description: 'While it is true, each request with a key of the tenant gets 403.' },
    reason: {
      type: 'string',
      minLength: 1,
      maxLength: TENANT_REASON_LIMIT,
      description: 'Why it is suspended, in words for its callers: the 403 has them.',
    },
    limits: {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: limits,
      description: 'Limits to set; null removes one. Those that are not named stay.',
    },
  },
} as const;

const tenant = closed({
  id: { type: 'string', format: 'uuid' },
  name: text,
  state: { type: 'string', enum: [...TENANT_STATES] },
  reason: { ...textOrNull, description: 'Why it is suspended.' },
  limits: closed(limits),
  memories: { ...count, description: 'As last counted, at counted_at.' },
  bytes: { ...count, description: 'Of its folder, or of its journal in the distributed composition; as last counted.' },
  counted_at: {
    ...textOrNull,
    description: 'When it was last counted: at this request if it is open, else when it was closed.',
  },
  created_at: text,
  updated_at: text,
});

export const tenantsReply = closed({
  status: success,
  tenants: { type: 'array', items: tenant, description: 'The oldest first.' },
  count,
});
export const tenantReply = closed({ status: success, tenant });
export const deletedTenantReply = closed({
  status: success,
  id: text,
  finished: {
    ...flag,
    description:
      'False: a server did not delete its part yet. The deletion goes on; GET /admin/tenants shows the tenant until its end.',
  },
  memories: { ...count, description: 'The memories that it had, as last counted.' },
  bytes: { ...count, description: 'The bytes that it had, as last counted.' },
  remains: {
    type: 'array',
    items: text,
    description: 'Where data of the tenant can still be, and what removes it there.',
  },
});

export const tenantOperations = {
  createTenant: {
    ...route('POST /admin/tenants', 'command', 'admin'),
    cost: 20,
    tag: 'Administration',
    summary: 'Make a tenant',
    description:
      'Makes a closed space of memories with its own journal, graph, vectors, jobs, webhooks and keys. It has no key yet: make its first one with POST /admin/tenants/{tenant_id}/keys.',
    body: { schema: createTenantBody, missing: "JSON body with 'name' required", kind: 'small' },
    replies: { 201: tenantReply },
    alsoAnswers: [409],
  },
  listTenants: {
    ...route('GET /admin/tenants', 'command', 'admin'),
    cost: 20,
    tag: 'Administration',
    summary: 'All tenants, with their state and size',
    description: 'Lists every tenant but the default one.',
    replies: { 200: tenantsReply },
  },
  updateTenant: {
    ...route('PATCH /admin/tenants/:tenant_id', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Suspend a tenant, end its suspension, or set its limits',
    description:
      'A suspended tenant keeps its data and its keys. Each request with one of its keys gets 403 with the reason, and its open streams end within a second. Limits hold within a second, too.',
    body: { schema: updateTenantBody, missing: "JSON body with 'suspended' or 'limits' required", kind: 'small' },
    replies: { 200: tenantReply },
  },
  deleteTenant: {
    ...route('DELETE /admin/tenants/:tenant_id', 'command', 'admin'),
    cost: 50,
    tag: 'Administration',
    summary: 'Delete a tenant with all of its data and keys',
    description:
      'Refuses its keys within a second, ends its work and removes its data. It goes on after a failure or a crash. The answer names where data can still be.',
    replies: { 200: deletedTenantReply },
  },
  createTenantKey: {
    ...route('POST /admin/tenants/:tenant_id/keys', 'command', 'admin'),
    cost: 20,
    tag: 'Administration',
    summary: 'Make a key of a tenant',
    description:
      'Makes a key that sees and changes this tenant alone. With the scope admin:keys its holder makes the further keys of the tenant with POST /admin/keys.',
    body: { schema: createKeyBody, missing: "JSON body with 'name' and 'scopes' required", kind: 'small' },
    replies: { 201: keySecretReply },
    alsoAnswers: [409],
  },
} as const satisfies Record<string, Operation>;
