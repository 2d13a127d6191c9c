/** Keys with a rate: what is beyond it is refused until the window ends. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { KEY_REQUESTS_PER_MINUTE_LIMIT } from '../../../shared/contract/limits.js';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';

const TOKEN = 'api-token';
const ADMIN = { Authorization: `Bearer ${TOKEN}`, 'X-Admin-Token': 'admin-token' };
const TYPES = '/graph/types';

describe('a key with a rate', () => {
  const variables = { SERVICE_API_TOKEN: TOKEN, ADMIN_API_TOKEN: 'admin-token', MCP_ENABLED: 'true' };
  let service: Service;
  before(async () => (service = await startService({ variables })));
  after(() => service.close());

  const send = (method: string, path: string, body?: object, headers: Record<string, string> = ADMIN) =>
    service.request(method, path, { headers, ...(body && { body }) });
  const create = async (rate?: number) => {
    const scopes = ['graph:read', 'memories:write', 'events:read'];
    const given = { name: randomUUID(), scopes, ...(rate !== undefined && { requests_per_minute: rate }) };
    return (await send('POST', '/admin/keys', given)).body;
  };
  const as = (secret: string) => ({ Authorization: `Bearer ${secret}` });
  const read = (secret: string, path = TYPES) => send('GET', path, undefined, as(secret));
  const fieldsOf = ({ headers }: { readonly headers: Headers }) =>
    ['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => headers.get(name));

  it('gets 429 beyond it, and the fields of the quota with each answer', async () => {
    const { key, secret } = await create(2);
    expect(key.requests_per_minute).to.equal(2);
    const policy = '"key";q=2;w=60';
    const first = await read(secret);
    expect([first.status, ...fieldsOf(first)]).to.deep.equal([200, policy, '"key";r=1;t=60', null]);
    expect((await read(secret, '/no/such/path')).status).to.equal(404);
    const refused = await read(secret);
    expect(refused.status).to.equal(429);
    const [, quota, retryAfter] = fieldsOf(refused);
    expect(quota).to.match(/^"key";r=0;t=\d+$/u);
    expect(Number(retryAfter)).to.be.within(1, 60);
    expect(quota).to.equal(`"key";r=0;t=${retryAfter}`);
    expect(fieldsOf(refused)[0]).to.equal(policy);
    expect(refused.body).to.include({ status: 'error', code: 429 });
    expect(refused.body.error).to.include(`The key '${key.name}' may send 2 requests per minute`);
    expect((await read(secret, '/no/such/path')).status).to.equal(429);
    const browser = await send('GET', TYPES, undefined, { ...as(secret), Origin: 'https://page.example' });
    expect(browser.headers.get('access-control-expose-headers')).to.include('RateLimit, RateLimit-Policy');
  });

  it('is refused before its body is read', async () => {
    const { secret } = await create(1);
    const store = (body: string) =>
      fetch(`${service.url}/memory`, {
        method: 'POST',
        headers: { ...as(secret), 'content-type': 'application/json' },
        body,
      });
    expect((await store('{')).status).to.equal(400);
    expect((await store('{')).status).to.equal(429);
  });

  it('concerns no other key, and no token', async () => {
    const [limited, other, free] = [await create(1), await create(1), await create()];
    expect((await read(limited.secret)).status).to.equal(200);
    expect((await read(limited.secret)).status).to.equal(429);
    expect((await read(other.secret)).status).to.equal(200);
    expect(free.key.requests_per_minute).to.equal(null);
    const answer = await read(free.secret);
    expect([answer.status, ...fieldsOf(answer)]).to.deep.equal([200, null, null, null]);
    expect((await send('GET', TYPES)).status).to.equal(200);
  });

  it('has its last requests in its row, where other processes read them', async () => {
    const { key, secret } = await create(5);
    for (const status of [200, 200]) expect((await read(secret)).status).to.equal(status);
    const counted = await until('the requests to be in the row', async () => {
      const found = await service.engines.keys.find(key.id);
      return found?.window?.requests === 2 && found;
    });
    expect(counted.window?.ageMs).to.be.within(0, 60_000);
  });

  it('keeps rate and count when it is rotated', async () => {
    const { key, secret } = await create(3);
    await read(secret);
    const { body } = await send('POST', `/admin/keys/${key.id}/rotate`);
    expect(body.key.requests_per_minute).to.equal(3);
    expect((await read(body.secret)).headers.get('ratelimit')).to.match(/^"key";r=1;/u);
    expect((await read(secret)).headers.get('ratelimit')).to.match(/^"key";r=0;/u);
    for (const each of [secret, body.secret]) expect((await read(each)).status).to.equal(429);
  });

  it('counts a stream once, and the calls of MCP one by one', async () => {
    const { key, secret } = await create(3);
    const stream = await fetch(`${service.url}/stream`, { headers: as(secret) });
    expect(stream.headers.get('ratelimit')).to.match(/^"key";r=2;/u);
    const window = async () => {
      const listed = await service.engines.keys.find(key.id);
      return listed?.window ?? null;
    };
    const counted = await until('the row to be read again while the stream is open', async () => {
      const found = await window();
      return found !== null && found.ageMs > 1_000 && found;
    });
    expect(counted.requests).to.equal(1);
    await stream.body?.cancel();
    const accept = 'application/json, text/event-stream';
    const call = async () => {
      const params = { name: 'store_memory', arguments: { content: 'The lantern hangs' } };
      const answer = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: { ...as(secret), accept, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      return ((await answer.json()) as { readonly result: object }).result;
    };
    for (const isError of [false, false, true]) expect('isError' in (await call())).to.equal(isError);
  });

  for (const rate of [0, -1, 1.5, KEY_REQUESTS_PER_MINUTE_LIMIT + 1, '60'])
    it(`is not made with ${JSON.stringify(rate)} requests per minute`, async () => {
      const given = { name: 'a', scopes: ['memories:read'], requests_per_minute: rate };
      const { status, body } = await send('POST', '/admin/keys', given);
      expect([status, body.field]).to.deep.equal([400, 'requests_per_minute']);
    });

  describe('with short windows', () => {
    before(async () => {
      await service.close();
      service = await startService({ variables, query: (config) => ({ ...config, keys: { windowMs: 4_000 } }) });
    });

    it('works again in the next one', async () => {
      const { secret } = await create(2);
      expect((await read(secret)).headers.get('ratelimit-policy')).to.equal('"key";q=2;w=4');
      await read(secret);
      expect((await read(secret)).status).to.equal(429);
      const next = await until('the window to end', async () => {
        const answer = await read(secret);
        return answer.status === 200 && answer;
      });
      expect(fieldsOf(next)[1]).to.equal('"key";r=1;t=4');
    });
  });
});
