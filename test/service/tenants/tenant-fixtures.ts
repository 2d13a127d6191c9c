/** A service with tenants, and its calls as an operator and with a key. */
import { expect } from 'chai';
import type { Answer, HttpCaller } from '../../support/clients/http-caller.js';
import { type Service, type ServiceOptions, startService } from '../../support/processes/service.js';

export const TOKENS = { SERVICE_API_TOKEN: 'api-token', ADMIN_API_TOKEN: 'admin-token' };
export const OPERATOR = {
  Authorization: `Bearer ${TOKENS.SERVICE_API_TOKEN}`,
  'X-Admin-Token': TOKENS.ADMIN_API_TOKEN,
};
export const ALL_SCOPES = [
  'memories:read',
  'memories:write',
  'memories:delete',
  'graph:read',
  'events:read',
  'admin:jobs',
  'admin:webhooks',
  'admin:keys',
] as const;

export const as = (secret: string) => ({ Authorization: `Bearer ${secret}` });

export type TenantCalls = {
  readonly send: (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answer>;
  /** Makes a tenant. Returns its id. */
  readonly make: (name: string) => Promise<string>;
  /** Makes a key of the tenant. Returns its secret. */
  readonly keyOf: (id: string, given?: object) => Promise<string>;
  /** Returns the id of the memory. */
  readonly store: (secret: string, content: string, body?: object) => Promise<string>;
  readonly contents: (secret: string) => Promise<readonly string[]>;
  readonly list: () => Promise<readonly ListedTenant[]>;
};

export type ListedTenant = {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly reason: string | null;
  readonly memories: number;
  readonly bytes: number;
};

export function startWithTenants({ variables = {}, ...options }: ServiceOptions = {}): Promise<Service> {
  return startService({ ...options, variables: { ...TOKENS, ...variables } });
}

export function tenantCalls({ request }: HttpCaller): TenantCalls {
  const send: TenantCalls['send'] = (method, path, body, headers = OPERATOR) =>
    request(method, path, { headers, ...(body && { body }) });
  const done = async (status: number, answer: Promise<Answer>) => {
    const { status: given, body } = await answer;
    expect(given, JSON.stringify(body)).to.equal(status);
    return body;
  };
  return {
    send,
    make: async (name) => (await done(201, send('POST', '/admin/tenants', { name }))).tenant.id,
    keyOf: async (id, given = {}) =>
      (await done(201, send('POST', `/admin/tenants/${id}/keys`, { name: 'agent', scopes: ALL_SCOPES, ...given })))
        .secret,
    store: async (secret, content, body = {}) =>
      (await done(201, send('POST', '/memory', { content, ...body }, as(secret)))).memory_id,
    contents: async (secret) => {
      const { memories } = await done(200, send('GET', '/memories?limit=100', undefined, as(secret)));
      return memories.map(({ content }: { content: string }) => content);
    },
    list: async () => (await done(200, send('GET', '/admin/tenants'))).tenants,
  };
}
