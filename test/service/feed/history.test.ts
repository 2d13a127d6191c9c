/** GET /memory/:id/history: every version of a memory, with its author. */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

const UNKNOWN_ID = '4b2c0f0e-9a53-4a6e-8f6c-3f6f1d7a0b11';
const REQUEST = '11111111-2222-4333-8444-555555555555';

type Version = {
  readonly version: number;
  readonly type: string;
  readonly changed: readonly string[] | null;
  readonly memory: { readonly content: string } | null;
  readonly erased: boolean;
};

describe('GET /memory/:id/history', () => {
  let service: Service;
  let id: string;
  before(async () => {
    service = await startService({ variables: { API_TOKENS: 'writer:secret-of-the-writer' } });
    id = (await call('POST', '/memory', { content: 'As it began', tags: ['a'] })).body.memory_id;
    await call(
      'PATCH',
      `/memory/${id}`,
      { content: 'As it went on' },
      { 'user-agent': 'pen/2', 'x-request-id': REQUEST },
    );
    await call('PATCH', `/memory/${id}`, { importance: 1, tags: ['a', 'b'] });
  });
  /** No more events are written, not even by background work. */
  beforeEach(() => service.settled());
  after(() => service.close());

  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    service.request(method, path, {
      ...(body === undefined ? {} : { body }),
      headers: { authorization: 'Bearer secret-of-the-writer', ...headers },
    });
  const history = async (
    query = '',
    of = id,
  ): Promise<{ readonly versions: readonly Version[]; readonly next: number | null; readonly count: number }> =>
    (await call('GET', `/memory/${of}/history?${query}`)).body;

  it('returns every version, oldest first', async () => {
    const { versions, next, count } = await history();
    expect(versions.map(({ version }) => version)).to.deep.equal(versions.map((_, index) => index + 1));
    expect([next, count]).to.deep.equal([null, versions.length]);
    const [stored, first, second, ...others] = versions;
    expect([stored?.type, first?.type, second?.type, others.length]).to.deep.equal([
      'memory.stored',
      'memory.updated',
      'memory.updated',
      0,
    ]);
    expect([stored?.memory?.content, first?.memory?.content, second?.memory?.content]).to.deep.equal([
      'As it began',
      'As it went on',
      'As it went on',
    ]);
    expect(first?.changed).to.include('content').and.not.include('importance');
    const now = (await call('GET', `/memory/${id}`)).body.memory;
    expect(versions.at(-1)?.memory).to.deep.include({
      content: now.content,
      importance: 1,
      tags: now.tags,
      updated_at: now.updated_at,
    });
  });

  it('reports author, request and time of each version', async () => {
    const [, second] = (await history()).versions;
    expect(second).to.deep.include({
      actor: { name: 'writer', tier: 'api', agent: 'pen/2' },
      request_id: REQUEST,
      causation_id: null,
      revision: 2,
      erased: false,
    });
    const [event] = await service.engines.journal.read({
      after: 0,
      subject: id,
      afterVersion: (second?.version ?? 0) - 1,
      limit: 1,
    });
    expect(second).to.deep.include({ event_id: event?.id, position: event?.position, time: event?.time });
  });

  it('returns pages', async () => {
    const { versions, count } = await history();
    const pages = [await history('limit=2')];
    for (let page = pages[0]; page?.next; pages.push(page)) page = await history(`limit=2&after=${page.next}`);
    expect(pages.flatMap((page) => page.versions)).to.deep.equal(versions);
    expect(pages[0]).to.include({ next: 2, count: 2 });
    expect(await history(`after=${count}`)).to.deep.include({ versions: [], next: null });
    expect(await history(`limit=${count}`)).to.deep.include({ next: null, count });
  });

  it('returns only the envelopes of a deleted memory', async () => {
    const gone = (await call('POST', '/memory', { content: 'To be forgotten' })).body.memory_id;
    await call('PATCH', `/memory/${gone}`, { importance: 0.1 });
    await call('DELETE', `/memory/${gone}`);
    const { versions } = await history('', gone);
    expect(versions.map(({ type, changed, memory, erased }) => ({ type, changed, memory, erased }))).to.deep.equal([
      { type: 'memory.stored', changed: null, memory: null, erased: true },
      { type: 'memory.updated', changed: null, memory: null, erased: true },
      { type: 'memory.deleted', changed: [], memory: null, erased: false },
    ]);
    expect(JSON.stringify(versions)).to.not.contain('forgotten');
  });

  it('leaves out the associations of the memory', async () => {
    const other = (await call('POST', '/memory', { content: 'Another' })).body.memory_id;
    await call('POST', '/associate', { memory1_id: other, memory2_id: id, type: 'RELATES_TO' });
    expect((await history('', other)).versions.map(({ type }) => type)).to.deep.equal(['memory.stored']);
  });

  it('answers 404 for an unknown id, from any version', async () => {
    for (const query of ['', '?after=5']) {
      const { status, body } = await call('GET', `/memory/${UNKNOWN_ID}/history${query}`);
      expect([status, body.message]).to.deep.equal([404, 'Memory not found']);
    }
  });

  it('rejects an invalid id and an invalid version', async () => {
    for (const path of ['/memory/nonsense/history', '/memory/by-tag/history', `/memory/${id}%00/history`])
      expect((await call('GET', path)).status, path).to.equal(400);
    for (const after of ['x', '-1', '1.5', '2147483648', '99999999999999999999']) {
      const { status, body } = await call('GET', `/memory/${id}/history?after=${after}`);
      expect([status, body.field], after).to.deep.equal([400, 'after']);
    }
    for (const limit of ['0', '-1', '99999999999999999999', 'many'])
      expect((await call('GET', `/memory/${id}/history?limit=${limit}`)).status, limit).to.equal(200);
  });

  it('requires a token', async () => {
    expect((await service.request('GET', `/memory/${id}/history`)).status).to.equal(401);
    expect((await service.request('GET', '/events')).status).to.equal(401);
  });
});
