/** The limits of tenants: rates, memories and bytes, which an operator sets and removes. */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import type { Service } from '../../support/processes/service.js';
import { as, startWithTenants, type TenantCalls, tenantCalls } from './tenant-fixtures.js';

describe('limits of a tenant', () => {
  let service: Service;
  let calls: TenantCalls;
  let id: string;
  let secret: string;
  before(async () => {
    service = await startWithTenants();
    calls = tenantCalls(service);
  });
  after(() => service.close());
  beforeEach(async () => {
    id = await calls.make('blue');
    secret = await calls.keyOf(id);
  });
  afterEach(async () => {
    await calls.send('DELETE', `/admin/tenants/${id}`);
  });

  const limit = async (limits: object) => {
    const { status, body } = await calls.send('PATCH', `/admin/tenants/${id}`, { limits });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.tenant.limits;
  };
  const read = (key = secret) => calls.send('GET', '/memories', undefined, as(key));
  const store = (key = secret) => calls.send('POST', '/memory', { content: 'A lantern' }, as(key));

  it('are absent at first, and set and removed one by one', async () => {
    const none = { requests_per_minute: null, writes_per_minute: null, memories: null, bytes: null };
    expect((await calls.send('GET', '/admin/tenants')).body.tenants[0].limits).to.deep.equal(none);
    expect(await limit({ memories: 5, bytes: 1_000 })).to.deep.equal({ ...none, memories: 5, bytes: 1_000 });
    expect(await limit({ memories: null })).to.deep.equal({ ...none, bytes: 1_000 });
    expect(await limit({ requests_per_minute: 9 })).to.deep.equal({ ...none, bytes: 1_000, requests_per_minute: 9 });
  });

  it('stay with a suspension, which stays with them', async () => {
    await limit({ memories: 5 });
    await calls.send('PATCH', `/admin/tenants/${id}`, { suspended: true, reason: 'The trial ended' });
    await limit({ bytes: 7 });
    const [tenant] = (await calls.send('GET', '/admin/tenants')).body.tenants;
    expect(tenant).to.include({ state: 'suspended', reason: 'The trial ended' });
    expect(tenant.limits).to.include({ memories: 5, bytes: 7 });
  });

  it('refuse requests beyond their rate with 429, for all keys together', async () => {
    const another = await calls.keyOf(id, { name: 'another' });
    await limit({ requests_per_minute: 3 });
    const answers = [await read(), await read(another), await store(), await read(another)];
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 201, 429]);
    const [first, , , last] = answers;
    expect(first?.headers.get('ratelimit-policy')).to.equal('"tenant-requests";q=3;w=60');
    expect(first?.headers.get('ratelimit')).to.match(/^"tenant-requests";r=2;t=\d+$/u);
    expect(Number(last?.headers.get('retry-after'))).to.be.within(1, 60);
    expect(last?.body.message).to.match(/^The tenant may send 3 requests per minute: send the next one in \d+ s$/u);
  });

  it('refuse writes beyond their rate, and no reads', async () => {
    await limit({ writes_per_minute: 1 });
    const statuses = [await store(), await store(), await read()].map(({ status }) => status);
    expect(statuses).to.deep.equal([201, 429, 200]);
  });

  it('count a request of a key with a rate for both', async () => {
    const limited = await calls.keyOf(id, { name: 'limited', requests_per_minute: 2 });
    await limit({ requests_per_minute: 9 });
    const { headers } = await read(limited);
    expect(headers.get('ratelimit-policy')).to.equal('"key";q=2;w=60, "tenant-requests";q=9;w=60');
  });

  it('refuse new memories of a full tenant, until some are deleted', async () => {
    const [memory] = [await calls.store(secret, 'The first'), await calls.store(secret, 'The second')];
    await limit({ memories: 2 });
    await until('a store is refused', async () => (await store()).status === 422);
    const refused = await store();
    expect(refused.body.message).to.match(/^The tenant has \d+ memories, and its limit is 2: delete some first$/u);
    const batch = await calls.send('POST', '/memory/batch', { memories: [{ content: 'Third' }] }, as(secret));
    expect(batch.status).to.equal(422);
    const changed = await calls.send('PATCH', `/memory/${memory}`, { content: 'The first, changed' }, as(secret));
    expect(changed.status).to.equal(200);
    for (const { id: each } of (await read()).body.memories)
      expect((await calls.send('DELETE', `/memory/${each}`, undefined, as(secret))).status).to.equal(200);
    await until('a store is accepted', async () => (await store()).status === 201);
  });

  it('refuse new memories beyond the bytes', async () => {
    await limit({ bytes: 1 });
    await until('a store is refused', async () => (await store()).status === 422);
    await limit({ bytes: null });
    expect((await store()).status).to.equal(201);
  });

  it('are refused with the field when they are wrong', async () => {
    for (const [body, field] of [
      [{}, null],
      [{ limits: {} }, 'limits'],
      [{ limits: { memories: 0 } }, 'memories'],
      [{ limits: { memories: 1.5 } }, 'memories'],
      [{ limits: { memories: '5' } }, 'memories'],
      [{ limits: { memory: 5 } }, 'memory'],
      [{ reason: 'Without a suspension' }, 'reason'],
      [{ suspended: false, reason: 'Without a suspension' }, 'reason'],
    ] as const) {
      const answer = await calls.send('PATCH', `/admin/tenants/${id}`, body);
      expect(answer.status, JSON.stringify(body)).to.equal(400);
      expect(answer.body.message, JSON.stringify(body)).to.include(field ?? 'suspended');
    }
  });

  it('of one tenant do not hold for another, nor for the default one', async () => {
    await limit({ requests_per_minute: 1 });
    await read();
    expect((await read()).status).to.equal(429);
    const other = await calls.make('amber');
    expect((await read(await calls.keyOf(other))).status).to.equal(200);
    expect((await read('api-token')).status).to.equal(200);
    await calls.send('DELETE', `/admin/tenants/${other}`);
  });
});
