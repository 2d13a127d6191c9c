import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createAuthenticate } from '../../../shared/http/auth.js';
import { ForbiddenError, UnauthenticatedError } from '../../../shared/kernel/errors.js';
import { echoOf, type Edge, openEdge } from '../../support/processes/http-edge.js';
import { startService } from '../../support/processes/service.js';

const TOKEN = 'a-token-of-the-api';
const NAMED = 'a-token-with-a-name';

describe('authentication', () => {
  let edge: Edge;
  before(async () => {
    edge = await openEdge({
      tokens: {
        api: [
          { name: null, token: TOKEN },
          { name: 'agent-1', token: NAMED },
        ],
        admin: null,
        internal: null,
      },
    });
  });
  after(() => edge.close());

  const accepted: readonly (readonly [string, string, Record<string, string>])[] = [
    ['a Bearer header', '/recall', { authorization: `Bearer ${TOKEN}` }],
    ['a Bearer header in any case, with blanks', '/recall', { authorization: `bEaReR   ${TOKEN}  ` }],
    ['X-API-Key', '/recall', { 'x-api-key': ` ${TOKEN} ` }],
    ['api_key', `/recall?api_key=${TOKEN}`, {}],
    ['X-API-Key together with another scheme', '/recall', { authorization: 'Basic abc', 'x-api-key': TOKEN }],
    ['X-API-Key before a wrong api_key', '/recall?api_key=wrong', { 'x-api-key': TOKEN }],
  ];
  for (const [title, path, headers] of accepted) {
    it(`accepts ${title}`, async () => expect((await edge.get(path, headers)).status).to.equal(200));
  }

  const refused: readonly (readonly [string, string, Record<string, string>])[] = [
    ['nothing', '/recall', {}],
    ['a wrong token', '/recall', { authorization: 'Bearer wrong' }],
    [
      'a wrong Bearer header with a valid X-API-Key',
      `/recall?api_key=${TOKEN}`,
      { authorization: 'Bearer wrong', 'x-api-key': TOKEN },
    ],
    ['an empty Bearer header with a valid X-API-Key', '/recall', { authorization: 'Bearer', 'x-api-key': TOKEN }],
    ['another scheme', '/recall', { authorization: `Basic ${TOKEN}` }],
    ['X-API-Token', '/recall', { 'x-api-token': TOKEN }],
    ['the beginning of the token', '/recall', { 'x-api-key': TOKEN.slice(0, -1) }],
    ['no token for an unknown path', '/nowhere', {}],
    ['no token for /health/', '/health/', {}],
    ['no token for an invalid id', '/memory/nonsense', {}],
  ];
  for (const [title, path, headers] of refused) {
    it(`rejects ${title}`, async () => {
      const response = await edge.get(path, headers);
      expect(response.status).to.equal(401);
      expect(await response.json()).to.include({
        status: 'error',
        code: 401,
        message: 'Unauthorized',
        error: 'Unauthorized',
      });
    });
  }

  it('rejects a request before it reads the body', async () =>
    expect((await edge.post('/memory', 'nonsense')).status).to.equal(401));

  it('answers 404 for an unknown path with a token', async () =>
    expect((await edge.get('/nowhere', { 'x-api-key': TOKEN })).status).to.equal(404));

  for (const path of ['/health', '/livez', '/readyz', '/openapi.json']) {
    it(`requires no token at ${path}`, async () => {
      const response = await edge.get(path);
      await response.text(); // an unread body keeps the connection open
      expect(response.status).to.equal(200);
    });
  }

  it('requires no token for OPTIONS', async () =>
    expect((await fetch(`${edge.url}/recall`, { method: 'OPTIONS' })).status).to.equal(200));

  it('derives the name of the caller from the token', async () => {
    const actorOf = async (token: string): Promise<unknown> =>
      (await echoOf(await edge.get('/recall', { 'x-api-key': token, 'user-agent': 'agent' }))).context.actor;
    const digits = createHash('sha256').update(TOKEN).digest('hex').slice(0, 12);
    expect(await actorOf(TOKEN)).to.deep.equal({ name: digits, tier: 'api', agent: 'agent' });
    expect(await actorOf(NAMED)).to.deep.equal({ name: 'agent-1', tier: 'api', agent: 'agent' });
  });

  it('separates the Idempotency-Keys of two callers', async () => {
    const keyOf = async (token: string): Promise<unknown> => {
      const { commandKey, fingerprint } = (
        await echoOf(await edge.post('/associate', {}, { 'x-api-key': token, 'idempotency-key': 'k' }))
      ).context;
      return [commandKey, fingerprint].join();
    };
    expect(await keyOf(TOKEN)).not.to.equal(await keyOf(NAMED));
    expect(await keyOf(TOKEN)).to.equal(await keyOf(TOKEN));
  });

  it('accepts every caller when no token is configured', async () => {
    const open = await openEdge();
    const { context } = await echoOf(await open.get('/recall', { authorization: 'Bearer whatever' }));
    await open.close();
    expect(context.actor).to.include({ name: 'anonymous', tier: 'open' });
  });
});

describe('admin tier', () => {
  const both = createAuthenticate({ api: [{ name: 'agent-1', token: TOKEN }], admin: 'secret', internal: null });
  const query = new URLSearchParams();

  for (const headers of [{ 'x-admin-token': 'secret' }, { 'x-admin-api-key': ' secret ' }]) {
    it(`accepts ${Object.keys(headers).join()} in addition to the API token`, () => {
      expect(both('admin', { headers: { ...headers, 'x-api-key': TOKEN }, query })).to.include({
        name: 'agent-1',
        tier: 'admin',
      });
    });
  }

  it('accepts admin_token', () => {
    expect(
      both('admin', { headers: { 'x-api-key': TOKEN }, query: new URLSearchParams({ admin_token: 'secret' }) }),
    ).to.include({ tier: 'admin' });
  });

  it('requires the API token too', () => {
    expect(() => both('admin', { headers: { 'x-admin-token': 'secret' }, query })).to.throw(
      UnauthenticatedError,
      'Unauthorized',
    );
  });

  for (const headers of [{}, { 'x-admin-token': 'wrong' }, { 'x-admin-token': TOKEN }]) {
    it(`rejects ${JSON.stringify(headers)}`, () => {
      expect(() => both('admin', { headers: { ...headers, 'x-api-key': TOKEN }, query })).to.throw(
        UnauthenticatedError,
        'Admin authorization required',
      );
    });
  }

  it('is closed when no admin token is configured', () => {
    const open = createAuthenticate({ api: [], admin: null, internal: null });
    expect(() => open('admin', { headers: { 'x-admin-token': 'secret' }, query })).to.throw(
      ForbiddenError,
      'Admin token not configured',
    );
  });
});

describe('journal', () => {
  it('records the name from API_TOKENS with each event', async () => {
    const service = await startService({ variables: { SERVICE_API_TOKEN: TOKEN, API_TOKENS: `ci:${NAMED}` } });
    const store = (token: string) =>
      service.request('POST', '/memory', {
        body: { content: 'x' },
        headers: { 'x-api-key': token, 'user-agent': 'tests' },
      });
    const statuses = [await store('wrong'), await store(NAMED), await store(TOKEN)].map(({ status }) => status);
    const events = await service.engines.journal.read({ after: 0, limit: 10 });
    await service.close();

    expect(statuses).to.deep.equal([401, 201, 201]);
    const digits = createHash('sha256').update(TOKEN).digest('hex').slice(0, 12);
    expect(events.map(({ actor }) => actor)).to.deep.equal([
      { name: 'ci', tier: 'api', agent: 'tests' },
      { name: digits, tier: 'api', agent: 'tests' },
    ]);
    expect(JSON.stringify(events)).to.not.contain(NAMED).and.not.contain(TOKEN);
  });
});
