/** The routes of tenants: made, listed, suspended, resumed and deleted, while other tenants stay as they are. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { TENANT_NAME_LIMIT, TENANT_REASON_LIMIT } from '../../../shared/contract/limits.js';
import { until } from '../../support/checks/until.js';
import { watch } from '../../support/clients/event-stream.js';
import type { Service } from '../../support/processes/service.js';
import { as, startWithTenants, type TenantCalls, tenantCalls } from './tenant-fixtures.js';

describe('tenants', () => {
  let service: Service;
  let calls: TenantCalls;
  before(async () => {
    service = await startWithTenants();
    calls = tenantCalls(service);
  });
  after(() => service.close());
  afterEach(async () => {
    for (const { id } of await calls.list()) await calls.send('DELETE', `/admin/tenants/${id}`);
  });

  const status = async (secret: string): Promise<number> =>
    (await calls.send('GET', '/memories', undefined, as(secret))).status;
  const suspend = (id: string, body: object = { suspended: true }) => calls.send('PATCH', `/admin/tenants/${id}`, body);
  const named = async (name: string) => (await calls.list()).find((tenant) => tenant.name === name);

  it('are made empty and active, and listed in the order of their making', async () => {
    const made = await calls.send('POST', '/admin/tenants', { name: 'blue' });
    expect(made.status).to.equal(201);
    const { tenant } = made.body;
    expect(tenant).to.include({ name: 'blue', state: 'active', reason: null, memories: 0, bytes: 0, counted_at: null });
    await calls.make('amber');
    const listed = await calls.send('GET', '/admin/tenants');
    expect(listed.body).to.include({ status: 'success', count: 2 });
    expect(listed.body.tenants[0]).to.deep.equal(tenant);
    expect(listed.body.tenants[1].name).to.equal('amber');
  });

  it('have memories of their own, which no other tenant sees', async () => {
    const [blue, amber] = [await calls.make('blue'), await calls.make('amber')];
    const [blueKey, amberKey] = [await calls.keyOf(blue), await calls.keyOf(amber)];
    const id = await calls.store(blueKey, 'The lantern is blue');
    await calls.store(amberKey, 'The lantern is amber');
    expect(await calls.contents(blueKey)).to.deep.equal(['The lantern is blue']);
    expect(await calls.contents(amberKey)).to.deep.equal(['The lantern is amber']);
    expect(await calls.contents('api-token')).to.deep.equal([]);
    for (const secret of [amberKey, 'api-token'])
      expect((await calls.send('GET', `/memory/${id}`, undefined, as(secret))).status).to.equal(404);
  });

  it('are listed with their memories and the bytes of their files', async () => {
    const id = await calls.make('blue');
    const secret = await calls.keyOf(id);
    for (const content of ['One lantern', 'Another lantern']) await calls.store(secret, content);
    const blue = await named('blue');
    expect(blue).to.include({ id, memories: 2 });
    expect(blue?.bytes).to.be.greaterThan(10_000);
  });

  it('refuse each request while they are suspended, with the reason in words', async () => {
    const id = await calls.make('blue');
    const secret = await calls.keyOf(id);
    await calls.store(secret, 'The lantern hangs');
    const { body } = await suspend(id, { suspended: true, reason: 'The trial ended in May' });
    expect(body.tenant).to.include({ state: 'suspended', reason: 'The trial ended in May' });
    const refused = await calls.send('GET', '/memories', undefined, as(secret));
    expect(refused.status).to.equal(403);
    expect(refused.body.error).to.equal("The tenant 'blue' is suspended: The trial ended in May");
    expect(refused.body.hint).to.equal('Ask the administrator of the service to end the suspension.');
    expect((await suspend(id, { suspended: false })).body.tenant).to.include({ state: 'active', reason: null });
    expect(await calls.contents(secret)).to.deep.equal(['The lantern hangs']);
  });

  it('are suspended without a reason, too, and an unknown key of them still gets 401', async () => {
    const id = await calls.make('blue');
    const secret = await calls.keyOf(id);
    const { keys } = (await calls.send('GET', '/admin/keys', undefined, as(secret))).body;
    const other = await calls.keyOf(id, { name: 'other' });
    expect((await calls.send('DELETE', `/admin/keys/${keys[0].id}`, undefined, as(other))).status).to.equal(200);
    await suspend(id);
    const refused = await calls.send('GET', '/memories', undefined, as(other));
    expect(refused.body.error).to.equal("The tenant 'blue' is suspended");
    await until('the revoked key to be refused', async () => (await status(secret)) === 401);
  });

  for (const [title, end] of [
    ['suspended', (id: string) => suspend(id)],
    ['deleted', (id: string) => calls.send('DELETE', `/admin/tenants/${id}`)],
  ] as const)
    it(`end their open streams within a second when they are ${title}`, async () => {
      const [blue, amber] = [await calls.make('blue'), await calls.make('amber')];
      const [blueKey, amberKey] = [await calls.keyOf(blue), await calls.keyOf(amber)];
      const stream = await watch(service.url, { headers: as(blueKey) });
      const other = await watch(service.url, { headers: as(amberKey) });
      const begin = performance.now();
      expect((await end(blue)).status).to.equal(200);
      await until('the stream to end', () => stream.isClosed());
      expect(performance.now() - begin).to.be.lessThan(3_000); // a second, on a busy machine
      await calls.store(amberKey, 'The lantern hangs');
      await until('the stream of the other tenant to go on', () => other.events().length > 0);
      await other.close();
    });

  it('have an answer with the reason for a wait that their suspension ends', async () => {
    const id = await calls.make('blue');
    const secret = await calls.keyOf(id);
    await calls.store(secret, 'The lantern hangs');
    const { next } = (await calls.send('GET', '/events?wait=5', undefined, as(secret))).body;
    const waiting = calls.send('GET', `/events?wait=30&after=${next}`, undefined, as(secret));
    await suspend(id, { suspended: true, reason: 'The trial ended' });
    const { status: refused, body } = await waiting;
    expect(refused).to.equal(403);
    expect(body.error).to.equal("The tenant 'blue' is suspended: The trial ended");
  });

  it('are deleted with what they had, and their keys get 401', async () => {
    const [blue, amber] = [await calls.make('blue'), await calls.make('amber')];
    const [blueKey, amberKey] = [await calls.keyOf(blue), await calls.keyOf(amber)];
    await calls.store(blueKey, 'The lantern is blue');
    await calls.store(amberKey, 'The lantern is amber');
    const { status: done, body } = await calls.send('DELETE', `/admin/tenants/${blue}`);
    expect(done).to.equal(200);
    expect(body).to.include({ id: blue, memories: 1 });
    expect(body.bytes).to.be.greaterThan(10_000);
    expect(body.remains.join(' ')).to.include('Backups').and.include('webhooks').and.include('log');
    expect(await status(blueKey)).to.equal(401);
    expect(await calls.contents(amberKey)).to.deep.equal(['The lantern is amber']);
    expect((await calls.list()).map(({ name }) => name)).to.deep.equal(['amber']);
  });

  it('leave a free name, and the next tenant with it has nothing of the old one', async () => {
    const id = await calls.make('blue');
    const secret = await calls.keyOf(id);
    await calls.store(secret, 'The lantern hangs');
    await calls.send('DELETE', `/admin/tenants/${id}`);
    const next = await calls.make('blue');
    expect(next).to.not.equal(id);
    expect(await calls.contents(await calls.keyOf(next))).to.deep.equal([]);
    expect(await status(secret)).to.equal(401);
  });

  it('finish two deletions at the same time', async () => {
    const id = await calls.make('blue');
    const answers = await Promise.all([1, 2].map(() => calls.send('DELETE', `/admin/tenants/${id}`)));
    expect(answers.map((answer) => answer.status).sort()[0]).to.equal(200);
    expect(await calls.list()).to.deep.equal([]);
  });

  it('have unique names, and none is called default', async () => {
    await calls.make('blue');
    const taken = await calls.send('POST', '/admin/tenants', { name: 'blue' });
    expect(taken.status).to.equal(409);
    expect(taken.body.error).to.equal("A tenant with the name 'blue' exists: choose another name");
    const own = await calls.send('POST', '/admin/tenants', { name: 'default' });
    expect(own.status).to.equal(409);
    expect(own.body.error).to.equal("'default' is the tenant of the service itself");
    expect(await calls.list()).to.have.length(1);
  });

  for (const [problem, body, field] of [
    ['no name', {}, null],
    ['a name with a capital letter', { name: 'Blue' }, 'name'],
    ['a name with a space', { name: 'blue team' }, 'name'],
    ['a name that begins with a hyphen', { name: '-blue' }, 'name'],
    ['a long name', { name: 'a'.repeat(TENANT_NAME_LIMIT + 1) }, 'name'],
    ['a name that leads out of the folder', { name: '../blue' }, 'name'],
  ] as const)
    it(`are not made with ${problem}`, async () => {
      const answer = await calls.send('POST', '/admin/tenants', body);
      expect(answer.status).to.equal(400);
      if (field !== null) expect(answer.body.field, JSON.stringify(answer.body)).to.equal(field);
      expect(await calls.list()).to.deep.equal([]);
    });

  it('have names and reasons up to their limits', async () => {
    const id = await calls.make('a'.repeat(TENANT_NAME_LIMIT));
    const reason = 'r'.repeat(TENANT_REASON_LIMIT);
    expect((await suspend(id, { suspended: true, reason })).body.tenant.reason).to.equal(reason);
    expect((await suspend(id, { suspended: true, reason: `${reason}r` })).status).to.equal(400);
    expect((await suspend(id, { suspended: true, reason: '' })).status).to.equal(400);
  });

  it('are found by ids that exist', async () => {
    const absent = `/admin/tenants/${randomUUID()}`;
    for (const [method, path, body] of [
      ['PATCH', absent, { suspended: true }],
      ['DELETE', absent, undefined],
      ['POST', `${absent}/keys`, { name: 'a', scopes: ['memories:read'] }],
    ] as const) {
      const answer = await calls.send(method, path, body);
      expect(answer.status, `${method} ${path}`).to.equal(404);
      expect(answer.body.error).to.include('GET /admin/tenants lists the tenants');
    }
    expect((await calls.send('DELETE', '/admin/tenants/blue')).status).to.equal(400);
  });
});
