/** One credential of each kind and state, for the permission matrix, and what each of them is worth. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { DEFAULT_TENANT } from '../../../shared/contract/maintenance/tenants.js';
import { SCOPE_NAMES, TAGGED_KEY_SCOPES } from '../../../shared/contract/scopes.js';
import { until } from '../checks/until.js';
import { createHttpCaller } from '../clients/http-caller.js';
import type { Holding } from './access-rules.js';
import { forgeKey, withWrongChecksum } from './forge-key.js';
import { ADMIN_TOKEN, API_TOKEN, type ServiceWithTenants, TENANT_CLAIM } from './service-with-tenants.js';
import { makeKey, makeTenant, OPERATOR, TENANT_SCOPES, type TestTenant } from './tenant.js';

type Headers = Readonly<Record<string, string>>;
export type Credential = { readonly headers: Headers; readonly holding: Holding };
/** By title. */
export type Credentials = Readonly<Record<string, Credential>>;

const ADMIN = { 'x-admin-token': ADMIN_TOKEN };
const bearer = (text: string): Headers => ({ authorization: `Bearer ${text}` });
const tokens = (hasApi: boolean, hasAdmin: boolean): Holding => ({ kind: 'tokens', hasApi, hasAdmin });
const scoped = (text: string, scopes: readonly string[]): Credential => ({
  headers: bearer(text),
  holding: { kind: 'scopes', scopes },
});
const refused = (text: string): Credential => ({ headers: bearer(text), holding: { kind: 'refused' } });

/** All credentials have their final state: a request with an expired or revoked one was refused before. */
export async function makeCredentials(service: ServiceWithTenants): Promise<Credentials> {
  const [tenant, other] = [await makeTenant(service, 'matrix'), await makeTenant(service, 'other')];
  const ofTokens = {
    'no token': { headers: {}, holding: tokens(false, false) },
    'the API token': { headers: bearer(API_TOKEN), holding: tokens(true, false) },
    'the API token as X-API-Key': { headers: { 'x-api-key': API_TOKEN }, holding: tokens(true, false) },
    'the admin token alone': { headers: ADMIN, holding: tokens(false, true) },
    'the API token and the admin token': { headers: OPERATOR, holding: tokens(true, true) },
    'the API token and a wrong admin token': {
      headers: { ...bearer(API_TOKEN), 'x-admin-token': `${ADMIN_TOKEN}2` },
      holding: tokens(true, false),
    },
    'the admin token as a bearer token': { headers: bearer(ADMIN_TOKEN), holding: tokens(false, false) },
  };
  return {
    ...ofTokens,
    ...(await scopedKeys(service, tenant)),
    ...(await issuedTokens(service, tenant)),
    ...(await endedKeys(service, tenant)),
    ...forgedKeys(tenant, other),
    'all scopes of a key of another tenant': scoped(other.key, TENANT_SCOPES),
    ...(await keysOfEndedTenants(service)),
  };
}

async function scopedKeys(service: ServiceWithTenants, { id, key }: TestTenant): Promise<Credentials> {
  const made: Record<string, Credential> = {};
  const kinds = [
    { owner: 'the default tenant', tenant: null, all: SCOPE_NAMES },
    { owner: 'a tenant', tenant: id, all: TENANT_SCOPES },
  ];
  for (const { owner, tenant, all } of kinds) {
    for (const scopes of [...all.map((scope) => [scope]), all]) {
      const { secret } = await makeKey(service, { tenant, scopes });
      made[`${scopes.length === 1 ? scopes.join() : 'all scopes'} of a key of ${owner}`] = scoped(secret, scopes);
    }
    const tagged = { tenant, scopes: TAGGED_KEY_SCOPES, tag: 'agent:matrix' };
    made[`a key of ${owner} with a tag`] = scoped((await makeKey(service, tagged)).secret, TAGGED_KEY_SCOPES);
  }
  const { secret } = await makeKey(service, { tenant: id, scopes: ['memories:read'] });
  const reads: Holding = { kind: 'scopes', scopes: ['memories:read'] };
  return {
    ...made,
    'a key of a tenant and the admin token': { headers: { ...bearer(secret), ...ADMIN }, holding: reads },
    'a key of a tenant as X-API-Key': {
      headers: { 'x-api-key': key },
      holding: { kind: 'scopes', scopes: TENANT_SCOPES },
    },
  };
}

async function issuedTokens({ issuer }: ServiceWithTenants, { name }: TestTenant): Promise<Credentials> {
  const made: Record<string, Credential> = {};
  const kinds = [
    { owner: 'the default tenant', claim: DEFAULT_TENANT, all: SCOPE_NAMES },
    { owner: 'a tenant', claim: name, all: TENANT_SCOPES },
  ];
  for (const { owner, claim, all } of kinds) {
    const issue = (scopes: readonly string[]) => issuer.token({ scope: scopes.join(' '), [TENANT_CLAIM]: claim });
    for (const scope of SCOPE_NAMES)
      made[`${scope} of a token of the issuer for ${owner}`] = scoped(
        await issue([scope]),
        [scope].filter((each) => all.includes(each)),
      );
    made[`all scopes of a token of the issuer for ${owner}`] = scoped(await issue(SCOPE_NAMES), all);
    made[`no scope of a token of the issuer for ${owner}`] = scoped(await issue([]), []);
  }
  const claims = { scope: SCOPE_NAMES.join(' '), [TENANT_CLAIM]: name };
  return {
    ...made,
    'an expired token of the issuer': refused(await issuer.token({ ...claims, exp: 1_700_000_000 })),
    'a token of the issuer for another service': refused(
      await issuer.token({ ...claims, aud: 'https://other.example' }),
    ),
    'a token of the issuer that names no tenant': refused(await issuer.token({ ...claims, [TENANT_CLAIM]: undefined })),
    'a token of the issuer that names an unknown tenant': refused(
      await issuer.token({ ...claims, [TENANT_CLAIM]: 'unknown' }),
    ),
  };
}

const EXPIRES_IN_MS = 1_500;

async function endedKeys(service: ServiceWithTenants, { id }: TestTenant): Promise<Credentials> {
  const { request } = createHttpCaller(service.url);
  const made: Record<string, Credential> = {};
  const expires_at = new Date(Date.now() + EXPIRES_IN_MS).toISOString();
  for (const [owner, tenant] of Object.entries({ 'the default tenant': null, 'a tenant': id })) {
    const key = { tenant, scopes: tenant === null ? SCOPE_NAMES : TENANT_SCOPES };
    made[`an expired key of ${owner}`] = refused((await makeKey(service, { ...key, expires_at })).secret);
    const revoked = await makeKey(service, key);
    // A key may revoke itself.
    const reply = await request('DELETE', `/admin/keys/${revoked.id}`, { headers: bearer(revoked.secret) });
    expect(reply.status).to.equal(200);
    made[`a revoked key of ${owner}`] = refused(revoked.secret);
  }
  for (const [title, { headers }] of Object.entries(made))
    await until(`${title} is refused`, async () => (await request('GET', '/memories', { headers })).status === 401);
  return made;
}

function forgedKeys(tenant: TestTenant, other: TestTenant): Credentials {
  return {
    'a key of a tenant that names another tenant': refused(forgeKey(tenant.key, other.id)),
    'a key of a tenant that names no tenant': refused(forgeKey(tenant.key, null)),
    'a key of a tenant that names an unknown tenant': refused(forgeKey(tenant.key, randomUUID())),
    'a key of a tenant with a wrong checksum': refused(withWrongChecksum(tenant.key)),
    'a key of a tenant without its last character': {
      headers: bearer(tenant.key.slice(0, -1)),
      holding: tokens(false, false),
    },
  };
}

async function keysOfEndedTenants(service: ServiceWithTenants): Promise<Credentials> {
  const { request } = createHttpCaller(service.url);
  const issue = ({ name }: TestTenant) => service.issuer.token({ scope: SCOPE_NAMES.join(' '), [TENANT_CLAIM]: name });
  const [suspended, deleted] = [await makeTenant(service, 'suspended'), await makeTenant(service, 'deleted')];
  const revoked = await makeKey(service, { tenant: suspended.id, scopes: TENANT_SCOPES });
  expect((await suspended.request('DELETE', `/admin/keys/${revoked.id}`)).status).to.equal(200);
  const body = { suspended: true, reason: 'The contract has ended' };
  const reply = await request('PATCH', `/admin/tenants/${suspended.id}`, { headers: OPERATOR, body });
  expect(reply.status).to.equal(200);
  await deleted.remove();
  await until('the keys of both tenants are refused', async () => {
    const statuses = [suspended.key, revoked.secret, deleted.key].map(
      async (key) => (await request('GET', '/memories', { headers: bearer(key) })).status,
    );
    return (await Promise.all(statuses)).join() === '403,401,401';
  });
  return {
    'a key of a suspended tenant': { headers: bearer(suspended.key), holding: { kind: 'suspended' } },
    'a revoked key of a suspended tenant': refused(revoked.secret),
    'a key of a deleted tenant': refused(deleted.key),
    'a token of the issuer for a suspended tenant': {
      headers: bearer(await issue(suspended)),
      holding: { kind: 'suspended' },
    },
    'a token of the issuer for a deleted tenant': refused(await issue(deleted)),
  };
}
