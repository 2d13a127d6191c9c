/** Tenants of a service, made and used by HTTP as operators and agents do. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type Scope, SCOPE_NAMES } from '../../../shared/contract/scopes.js';
import { until } from '../checks/until.js';
import { createHttpCaller, type HttpCaller } from '../clients/http-caller.js';
import { ADMIN_TOKEN, API_TOKEN, type ServiceWithTenants } from './service-with-tenants.js';

type Headers = Readonly<Record<string, string>>;

export const OPERATOR: Headers = { authorization: `Bearer ${API_TOKEN}`, 'x-admin-token': ADMIN_TOKEN };

/** All that a key of a tenant may have. */
export const TENANT_SCOPES = SCOPE_NAMES.filter((scope) => scope !== 'admin:tenants');

export type TestTenant = HttpCaller & {
  readonly id: string;
  readonly name: string;
  /** The text of a key with all scopes. */
  readonly key: string;
  readonly headers: Headers;
  /** Resolves when all of its writes so far are indexed and enriched. */
  readonly settled: () => Promise<void>;
  readonly remove: () => Promise<void>;
};

export async function makeTenant({ url }: Pick<ServiceWithTenants, 'url'>, name: string): Promise<TestTenant> {
  const operator = createHttpCaller(url);
  const { status, body } = await operator.request('POST', '/admin/tenants', { headers: OPERATOR, body: { name } });
  expect(status, JSON.stringify(body)).to.equal(201);
  const { id } = body.tenant as { readonly id: string };
  const { secret: key } = await makeKey({ url }, { tenant: id, name: 'agent', scopes: TENANT_SCOPES });
  const caller = createHttpCaller(url, key);
  return {
    ...caller,
    id,
    name,
    key,
    headers: { authorization: `Bearer ${key}` },
    settled: () => settled(caller),
    remove: async () => {
      const removed = await operator.request('DELETE', `/admin/tenants/${id}`, { headers: OPERATOR });
      expect(removed.status).to.equal(200);
    },
  };
}

export type TestKey = { readonly id: string; readonly secret: string };

/** `tenant`: its id; null for the default one. Without a name the key has one that no other has. */
export async function makeKey(
  { url }: Pick<ServiceWithTenants, 'url'>,
  {
    tenant,
    name = randomUUID(),
    ...fields
  }: {
    readonly tenant: string | null;
    readonly name?: string;
    readonly scopes: readonly Scope[];
    readonly tag?: string;
    readonly expires_at?: string;
  },
): Promise<TestKey> {
  const path = tenant === null ? '/admin/keys' : `/admin/tenants/${tenant}/keys`;
  const { status, body } = await createHttpCaller(url).request('POST', path, {
    headers: OPERATOR,
    body: { name, ...fields },
  });
  expect(status, JSON.stringify(body)).to.equal(201);
  return { id: body.key.id as string, secret: body.secret as string };
}

/** As `Fleet.settled`: the enricher commits its work before its position advances. */
export async function settled({ request }: HttpCaller): Promise<void> {
  await until('no commit is in flight', async () => {
    const { body } = await request('GET', '/health');
    const { status, lag_events: lag } = body?.projectors?.enricher ?? {};
    // A projector that was resumed counts as stopped until its next heartbeat.
    const isSeen = status === 'paused' || (status === 'running' && body.enrichment.status === 'running');
    return body?.in_flight === 0 && lag === 0 && isSeen;
  });
}
