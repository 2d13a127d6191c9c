/** The routes of keys, and what a service does with the keys that they make. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { CloudEvent } from '../../../shared/contract/events.js';
import { KEY_NAME_LIMIT } from '../../../shared/contract/limits.js';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';

type ToolResult = { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };

const TOKEN = 'api-token';
const ADMIN = { Authorization: `Bearer ${TOKEN}`, 'X-Admin-Token': 'admin-token' };

describe('keys', () => {
  let service: Service;
  before(async () => {
    service = await startService({
      variables: { SERVICE_API_TOKEN: TOKEN, ADMIN_API_TOKEN: 'admin-token', MCP_ENABLED: 'true' },
    });
  });
  after(() => service.close());
  afterEach(async () => {
    for (const { id } of await service.engines.keys.list()) await service.engines.keys.remove(id);
  });

  const send = (method: string, path: string, body?: object, headers: Record<string, string> = ADMIN) =>
    service.request(method, path, { headers, ...(body && { body }) });
  const create = async (scopes: readonly string[], body: object = {}) =>
    (await send('POST', '/admin/keys', { name: randomUUID(), scopes, ...body })).body;
  const as = (secret: string) => ({ Authorization: `Bearer ${secret}` });

  it('are made with a secret that is shown once', async () => {
    const { status, body } = await send('POST', '/admin/keys', { name: 'agent-1', scopes: ['memories:write'] });
    expect(status).to.equal(201);
    expect(body.secret).to.match(/^plm_[0-9A-Za-z]{38}$/u);
    expect(body.key).to.include({
      name: 'agent-1',
      expires_at: null,
      previous_until: null,
      last_used_at: null,
      uses: 0,
    });
    const listed = await send('GET', '/admin/keys');
    expect(listed.body).to.deep.equal({ status: 'success', keys: [body.key], count: 1 });
    expect(JSON.stringify(listed.body)).to.not.include(body.secret);
  });

  it('have an event for each change, without a secret', async () => {
    const { next } = (await send('GET', '/events?limit=1000')).body;
    const expires = '2100-01-01T00:00:00+00:00';
    const { key, secret } = await create(['memories:read'], { tag: 'Team:Red', expires_at: expires });
    const rotated = (await send('POST', `/admin/keys/${key.id}/rotate`)).body;
    await send('DELETE', `/admin/keys/${key.id}`);
    const { events } = (await send('GET', `/events?after=${next}`)).body;
    const given = { id: key.id, name: key.name, scopes: ['memories:read'], tag: 'team:red', expires_at: expires };
    const before = { key: { ...given, requests_per_minute: null, previous_until: null } };
    const after = { key: { ...before.key, previous_until: rotated.key.previous_until } };
    expect(
      events.map(({ type, subject, version, data }: CloudEvent) => ({ type, subject, version, data })),
    ).to.deep.equal([
      { type: 'key.created', subject: key.id, version: 1, data: before },
      { type: 'key.rotated', subject: key.id, version: 2, data: after },
      { type: 'key.revoked', subject: key.id, version: 3, data: after },
    ]);
    for (const hidden of [secret, rotated.secret]) expect(JSON.stringify(events)).to.not.include(hidden.slice(4));
  });

  it('of an earlier release get their first event with their next change', async () => {
    const hash = 'f'.repeat(64);
    const row = {
      id: randomUUID(),
      name: randomUUID(),
      scopes: ['memories:read'],
      tag: null,
      expiresAt: null,
    } as const;
    await service.engines.keys.create({ ...row, requestsPerMinute: null, hash });
    await send('DELETE', `/admin/keys/${row.id}`);
    const { events } = (await send('GET', '/events?limit=1000&type=key.revoked')).body;
    expect(events.at(-1)).to.include({ subject: row.id, version: 1 });
  });

  it('name their events, and are refused beyond their scopes', async () => {
    const { secret } = await create(['memories:write', 'events:read'], { name: 'agent-2' });
    const { memory_id: id } = (await send('POST', '/memory', { content: 'The lantern hangs' }, as(secret))).body;
    const history = await send('GET', `/memory/${id}/history`, undefined, as(secret));
    expect(history.body.versions[0].actor.name).to.equal('agent-2');
    const refused = await send('GET', `/memory/${id}`, undefined, as(secret));
    expect(refused.status).to.equal(403);
    expect(refused.body.error).to.equal("The key 'agent-2' lacks the scope memories:read");
  });

  it('administer without the admin token, and give no scope that they lack', async () => {
    const { secret } = await create(['admin:keys', 'memories:read']);
    const asKey = as(secret);
    const made = await send('POST', '/admin/keys', { name: 'reader', scopes: ['memories:read'] }, asKey);
    expect(made.status).to.equal(201);
    const beyond = await send('POST', '/admin/keys', { name: 'writer', scopes: ['memories:write'] }, asKey);
    expect(beyond.status).to.equal(403);
    expect(beyond.body.error).to.include('lacks memories:write');
    const { key } = await create(['memories:write']);
    expect((await send('POST', `/admin/keys/${key.id}/rotate`, {}, asKey)).status).to.equal(403);
    expect((await send('POST', `/admin/keys/${made.body.key.id}/rotate`, {}, asKey)).status).to.equal(200);
  });

  it('work by both secrets after a rotation, and by the new one alone without an overlap', async () => {
    const { key, secret: first } = await create(['memories:read']);
    const recall = async (secret: string) => (await send('GET', '/recall?query=lantern', undefined, as(secret))).status;
    const { body } = await send('POST', `/admin/keys/${key.id}/rotate`);
    expect(Date.parse(body.key.previous_until)).to.be.within(Date.now() + 86_000_000, Date.now() + 86_400_000);
    expect([await recall(first), await recall(body.secret)]).to.deep.equal([200, 200]);
    const { secret: third } = (await send('POST', `/admin/keys/${key.id}/rotate`, { overlap_hours: 0 })).body;
    for (const before of [first, body.secret])
      await until('the secret before to be refused', async () => (await recall(before)) === 401);
    expect(await recall(third)).to.equal(200);
  });

  it('end their streams when they are revoked', async () => {
    const { key, secret } = await create(['events:read']);
    const stream = await fetch(`${service.url}/stream`, { headers: as(secret) });
    expect(stream.status).to.equal(200);
    const ended = stream.text().then(
      () => 'ended',
      () => 'cut',
    );
    const revoked = await send('DELETE', `/admin/keys/${key.id}`);
    expect(revoked.body).to.deep.equal({ status: 'success', id: key.id });
    expect(await ended).to.equal('cut');
    expect((await send('GET', '/events', undefined, as(secret))).status).to.equal(401);
  });

  it('have an answer for a wait that their revocation ends', async () => {
    const { key, secret } = await create(['events:read']);
    const { next } = (await send('GET', '/events?limit=1000', undefined, as(secret))).body;
    const waiting = send('GET', `/events?wait=30&type=memory.deleted&after=${next}`, undefined, as(secret));
    await pause(100); // it waits now, except on a very busy machine, where it is refused at once
    await send('DELETE', `/admin/keys/${key.id}`);
    expect((await waiting).status).to.equal(401);
  });

  it('open the tools of MCP that their scopes allow', async () => {
    const { secret } = await create(['memories:read']);
    const accept = 'application/json, text/event-stream';
    const headers = { ...as(secret), accept, 'content-type': 'application/json' };
    const call = async (name: string, given: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } });
      const answer = await fetch(`${service.url}/mcp`, { method: 'POST', headers, body });
      return ((await answer.json()) as { readonly result: ToolResult }).result;
    };
    expect((await call('recall_memory', { query: 'lantern' })).isError).to.not.equal(true);
    const refused = await call('store_memory', { content: 'The lantern hangs' });
    expect(refused.isError).to.equal(true);
    expect(refused.content[0]?.text).to.include('lacks the scope memories:write');
  });

  it('count their uses', async () => {
    const { key, secret } = await create(['memories:read']);
    await send('GET', '/recall?query=lantern', undefined, as(secret));
    const used = await until('the use to be counted', async () => {
      const [listed] = (await send('GET', '/admin/keys')).body.keys;
      return listed.uses > 0 && listed;
    });
    expect(used).to.include({ id: key.id, uses: 1 });
    expect(Date.parse(used.last_used_at)).to.be.closeTo(Date.now(), 60_000);
  });

  it('are restricted to a tag in its canonical form, also after a rotation', async () => {
    const { key } = await create(['memories:read', 'memories:write', 'memories:delete'], { tag: ' Agent/Alice: ' });
    expect(key.tag).to.equal('agent:alice');
    const rotated = await send('POST', `/admin/keys/${key.id}/rotate`);
    expect(rotated.body.key.tag).to.equal('agent:alice');
    expect((await create(['memories:read'])).key.tag).to.equal(null);
    const { keys } = (await send('GET', '/admin/keys')).body;
    expect(keys.map(({ tag }: { tag: string | null }) => tag)).to.deep.equal(['agent:alice', null]);
  });

  for (const [problem, body, field] of [
    ['no scopes', { name: 'a', scopes: [] }, 'scopes'],
    ['an unknown scope', { name: 'a', scopes: ['all'] }, 'scopes'],
    ['a name with a space', { name: 'a b', scopes: ['memories:read'] }, 'name'],
    ['a long name', { name: 'a'.repeat(KEY_NAME_LIMIT + 1), scopes: ['memories:read'] }, 'name'],
    ['an expiry that is no time', { name: 'a', scopes: ['memories:read'], expires_at: 'soon' }, 'expires_at'],
    ['a tag without a character', { name: 'a', scopes: ['memories:read'], tag: ':/ ' }, 'tag'],
    ['an empty tag', { name: 'a', scopes: ['memories:read'], tag: '' }, 'tag'],
    ['a long tag', { name: 'a', scopes: ['memories:read'], tag: 'a'.repeat(257) }, 'tag'],
    ['a tag of many levels', { name: 'a', scopes: ['memories:read'], tag: 'a:'.repeat(16) + 'a' }, 'tag'],
    ['several tags', { name: 'a', scopes: ['memories:read'], tag: ['a', 'b'] }, 'tag'],
    ['a tag and another scope', { name: 'a', scopes: ['memories:read', 'graph:read'], tag: 'a' }, 'scopes'],
    ['an expiry in the past', { name: 'a', scopes: ['memories:read'], expires_at: '2001-01-01' }, 'expires_at'],
  ] as const)
    it(`are not made with ${problem}`, async () => {
      const answer = await send('POST', '/admin/keys', body);
      expect(answer.status).to.equal(400);
      expect(answer.body.field, JSON.stringify(answer.body)).to.equal(field);
    });

  it('have unique names, and ids that exist', async () => {
    await create(['memories:read'], { name: 'twice' });
    expect((await send('POST', '/admin/keys', { name: 'twice', scopes: ['graph:read'] })).status).to.equal(409);
    expect((await send('DELETE', `/admin/keys/${randomUUID()}`)).status).to.equal(404);
    expect((await send('POST', `/admin/keys/${randomUUID()}/rotate`)).status).to.equal(404);
    expect((await send('DELETE', '/admin/keys/none')).status).to.equal(400);
  });
});
