/** Keys of a tenant: what they may do, and that each way into the service leads to their tenant alone. */
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { newKey } from '../../../shared/kernel/keys.js';
import { until } from '../../support/checks/until.js';
import { watch } from '../../support/clients/event-stream.js';
import { connectTo } from '../../support/clients/mcp.js';
import { startWebhookReceiver } from '../../support/clients/webhook-receiver.js';
import type { Service } from '../../support/processes/service.js';
import { ALL_SCOPES, as, OPERATOR, startWithTenants, type TenantCalls, tenantCalls } from './tenant-fixtures.js';

describe('keys of a tenant', () => {
  let service: Service;
  let calls: TenantCalls;
  let blue: string;
  let secret: string;
  before(async () => {
    service = await startWithTenants({
      variables: {
        MCP_ENABLED: 'true',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        PROJECTORS: 'vector-indexer,access-recorder,webhook-sender',
      },
    });
    calls = tenantCalls(service);
  });
  after(() => service.close());
  beforeEach(async () => {
    blue = await calls.make('blue');
    secret = await calls.keyOf(blue);
  });
  afterEach(() => calls.send('DELETE', `/admin/tenants/${blue}`));

  const send = (method: string, path: string, body?: object, key = secret) => calls.send(method, path, body, as(key));

  it('name their tenant in their first digits', () => {
    expect(secret)
      .to.match(/^plm_[0-9a-f]{32}[0-9A-Za-z]{38}$/u)
      .and.include(`plm_${blue.replaceAll('-', '')}`);
  });

  it('make keys of their own tenant, which no other tenant lists', async () => {
    const made = await send('POST', '/admin/keys', { name: 'reader', scopes: ['memories:read'] });
    expect(made.status).to.equal(201);
    expect(made.body.secret).to.include(`plm_${blue.replaceAll('-', '')}`);
    await calls.store(secret, 'The lantern is blue');
    expect(await calls.contents(made.body.secret)).to.deep.equal(['The lantern is blue']);
    const names = async (headers: Record<string, string>) =>
      (await calls.send('GET', '/admin/keys', undefined, headers)).body.keys.map(({ name }: { name: string }) => name);
    expect(await names(as(secret))).to.deep.equal(['agent', 'reader']);
    expect(await names(OPERATOR)).to.deep.equal([]);
  });

  it('are rotated to keys of the same tenant', async () => {
    const { keys } = (await send('GET', '/admin/keys')).body;
    const { body } = await send('POST', `/admin/keys/${keys[0].id}/rotate`);
    expect(body.secret)
      .to.include(`plm_${blue.replaceAll('-', '')}`)
      .and.not.equal(secret);
    await calls.store(body.secret, 'The lantern is blue');
    expect(await calls.contents(secret)).to.deep.equal(['The lantern is blue']);
  });

  it('have no scope over tenants, by whichever way they are made', async () => {
    const body = { name: 'operator', scopes: ['admin:tenants'] };
    const made = await calls.send('POST', `/admin/tenants/${blue}/keys`, body);
    expect([made.status, made.body.field]).to.deep.equal([400, 'scopes']);
    expect(made.body.error).to.equal("'scopes' of a key of a tenant cannot have admin:tenants");
    expect((await send('POST', '/admin/keys', body)).status).to.equal(403);
    for (const headers of [as(secret), { ...OPERATOR, ...as(secret) }])
      for (const [method, path, given] of [
        ['GET', '/admin/tenants', undefined],
        ['POST', '/admin/tenants', { name: 'amber' }],
        ['DELETE', `/admin/tenants/${blue}`, undefined],
        ['PATCH', `/admin/tenants/${blue}`, { suspended: true }],
        ['POST', `/admin/tenants/${blue}/keys`, { name: 'a', scopes: ['memories:read'] }],
      ] as const) {
        const refused = await calls.send(method, path, given, headers);
        expect(refused.status, `${method} ${path}`).to.equal(403);
        expect(refused.body.error).to.equal("The key 'agent' lacks the scope admin:tenants");
      }
  });

  it('are made by a key with admin:tenants, up to its own scopes', async () => {
    const given = { name: 'operator', scopes: ['admin:tenants', 'memories:read'] };
    const { key, secret: operator } = (await calls.send('POST', '/admin/keys', given)).body;
    const makes = (scopes: readonly string[]) =>
      send('POST', `/admin/tenants/${blue}/keys`, { name: scopes.join('-').replaceAll(':', '-'), scopes }, operator);
    expect((await makes(['memories:read'])).status).to.equal(201);
    expect((await makes(['memories:write'])).status).to.equal(403);
    await calls.send('DELETE', `/admin/keys/${key.id}`);
  });

  it('are refused when they are not known, whichever tenant they name', async () => {
    for (const unknown of [newKey(blue), newKey('11111111-2222-4333-8444-555555555555'), `${secret.slice(0, -1)}_`])
      expect((await send('GET', '/memories', undefined, unknown)).status, unknown).to.equal(401);
  });

  it('name the tenant in events, and the default tenant has no name', async () => {
    await calls.store(secret, 'The lantern is blue');
    await calls.store('api-token', 'The lantern is grey');
    const own = (await send('GET', '/events')).body.events;
    expect(own.find((event: { readonly type: string }) => event.type === 'memory.stored')).to.include({
      tenant: 'blue',
      actorname: 'agent',
    });
    expect(own.every((event: { readonly tenant: string }) => event.tenant === 'blue')).to.equal(true);
    const { events } = (await calls.send('GET', '/events')).body;
    expect(events.map((each: object) => 'tenant' in each)).to.not.include(true);
  });

  it('name the tenant in the deliveries of its webhooks', async () => {
    const receiver = await startWebhookReceiver();
    const { body } = await send('POST', '/admin/webhooks', { url: receiver.url });
    receiver.expectSecrets(body.secret);
    await calls.store('api-token', 'The lantern is grey');
    const id = await calls.store(secret, 'The lantern is blue');
    await until('the delivery', () => receiver.received.length > 0);
    expect(receiver.received.map(({ event }) => [event.tenant, event.subject])).to.deep.equal([['blue', id]]);
    await receiver.close();
  });

  it('follow the live stream of their tenant', async () => {
    const stream = await watch(service.url, { headers: as(secret) });
    await calls.store('api-token', 'The lantern is grey');
    const id = await calls.store(secret, 'The lantern is blue');
    await until('the event', () => stream.events().length > 0);
    await stream.close();
    expect(stream.events().map(({ data }) => [data.tenant, data.subject])).to.deep.equal([['blue', id]]);
  });

  it('open MCP on the port of the service for their tenant', async () => {
    const [grey, own] = [await calls.store('api-token', 'A grey lantern'), await calls.store(secret, 'A blue lantern')];
    const client = await connectTo(`${service.url}/mcp`, { authorization: `Bearer ${secret}` });
    const read = async (id: string) => JSON.stringify(await client.readResource({ uri: `memory://${id}` }));
    expect(await read(own)).to.include('A blue lantern');
    const refused = await read(grey).catch((error: unknown) => String(error));
    expect(refused).to.not.include('A grey lantern');
    await client.close();
  });

  it('back up their tenant alone', async () => {
    await calls.store('api-token', 'A grey lantern');
    await calls.store(secret, 'A blue lantern');
    const archive = await fetch(`${service.url}/backup`, { headers: as(secret) });
    expect(archive.status).to.equal(200);
    const text = gunzipSync(Buffer.from(await archive.arrayBuffer())).toString();
    expect(text).to.include('A blue lantern').and.not.include('A grey lantern');
  });

  it('see the counts of their tenant in GET /health', async () => {
    for (const content of ['One grey lantern', 'Two grey lanterns']) await calls.store('api-token', content);
    await calls.store(secret, 'A blue lantern');
    expect((await send('GET', '/health')).body.memory_count).to.equal(1);
    const anonymous = await calls.send('GET', '/health', undefined, as(newKey(blue)));
    expect(anonymous.status).to.equal(200);
    expect(anonymous.body.memory_count).to.not.equal(1);
  });

  it('continue at cursors of their tenant, not at those of another', async () => {
    await calls.store('api-token', 'A grey lantern');
    await calls.store(secret, 'A blue lantern');
    const { next_cursor: cursor } = (await calls.send('GET', '/events')).body;
    const answer = await send('GET', `/events?after=${encodeURIComponent(cursor)}`);
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(400, 410);
  });

  it('have each scope that is not over tenants', () => {
    expect(ALL_SCOPES).to.not.include('admin:tenants');
  });
});
