import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type Edge, openEdge } from '../../support/processes/http-edge.js';

const ID = '0b8f2f0e-6d0c-4f2a-9d8e-1c2b3a4d5e6f';
const TOKEN = 'the-token';

type Problem = { readonly message: string; readonly error: string; readonly detail?: string; readonly hint?: string };

describe('problems', () => {
  let edge: Edge;
  let closed: Edge;
  before(async () => {
    edge = await openEdge();
    closed = await openEdge({
      tokens: { api: [{ name: null, token: TOKEN }], admin: 'the-admin-token', internal: null },
      handlers: { reprocess: async () => ({ status: 202, body: { status: 'queued', count: 0, ids: [] } }) },
    });
  });
  after(async () => {
    await edge.close();
    await closed.close();
  });

  const json = { 'content-type': 'application/json' };
  const mistakes: readonly (readonly [string, string | Buffer | undefined, Record<string, string>, string])[] = [
    ['no body', undefined, json, 'The body is empty.'],
    ['no Content-Type', Buffer.from('{}'), {}, 'The request has no Content-Type.'],
    ['another Content-Type', '{"content":"x"}', { 'content-type': 'text/plain' }, 'The Content-Type is "text/plain".'],
    [
      'a trailing comma',
      '{\n "content": "x",\n}',
      json,
      'The body is not JSON: a comma before } at line 2, column 16.',
    ],
    [
      'single quotes',
      "{'content': 'x'}",
      json,
      'The body is not JSON: a single quote in place of a value, or a name in double quotes, at line 1, column 2.',
    ],
    ['a list', '[{"content":"x"}]', json, 'The body is a list, not an object.'],
    ['text', '"x"', json, 'The body is a text, not an object.'],
    [
      'a compressed body',
      gzipSync('{}'),
      { ...json, 'content-encoding': 'gzip' },
      'The body is compressed (Content-Encoding: gzip).',
    ],
    ['another encoding', Buffer.from([0x22, 0xff, 0x22]), json, 'The body is not UTF-8.'],
  ];
  for (const [title, body, headers, detail] of mistakes) {
    it(`keep the fixed message and say what was found: ${title}`, async () => {
      const response = await fetch(`${edge.url}/memory`, {
        method: 'POST',
        headers,
        ...(body !== undefined && { body }),
      });
      const problem = (await response.json()) as Problem;
      expect(problem).to.include({ message: 'JSON body is required', error: 'JSON body is required', detail });
      expect(problem.hint).to.match(/^(?:Send|Correct|Encode) /u);
    });
  }

  it('name a field that was ignored, next to the one that is missing', async () => {
    const problem = (await (await edge.post('/memory', { contnet: 'x' })).json()) as Problem;
    expect(problem.message).to.equal("'content' is required");
    expect(problem.hint).to.equal("'contnet' is not a known field and was ignored: did you mean 'content'?");
  });

  it('say that content must be text', async () => {
    const problem = (await (await edge.post('/memory', { content: 5 })).json()) as Problem;
    expect(problem.message).to.equal("'content' must be text");
  });

  const unauthorized: readonly (readonly [string, Record<string, string>, string])[] = [
    ['no token', {}, 'The request has no token.'],
    ['a wrong token', { 'x-api-key': 'wrong' }, 'The token is not one of the tokens of this service.'],
    [
      'a Bearer header without a token',
      { authorization: 'Bearer' },
      'The Authorization header has no token after Bearer.',
    ],
    ['another scheme', { authorization: 'Basic abc' }, 'The Authorization header has another scheme than Bearer.'],
  ];
  for (const [title, headers, detail] of unauthorized) {
    it(`have WWW-Authenticate with 401 for ${title}`, async () => {
      const response = await closed.get('/recall', headers);
      expect(response.headers.get('www-authenticate')).to.equal('Bearer realm="palimpsest"');
      expect(await response.json()).to.include({ message: 'Unauthorized', detail });
    });
  }

  it('name the variable that an admin operation needs', async () => {
    const reprocess = async () => ({ status: 202, body: { status: 'queued', count: 0, ids: [] } }) as const;
    const open = await openEdge({ handlers: { reprocess } });
    const response = await fetch(`${open.url}/enrichment/reprocess`, { method: 'POST', headers: json, body: '{}' });
    const problem = await response.json();
    await open.close();
    expect(response.status).to.equal(403);
    expect(problem).to.include({
      message: 'Admin token not configured',
      hint: 'Set ADMIN_API_TOKEN for the service, and send its value as X-Admin-Token.',
    });
  });

  it('have WWW-Authenticate with 401 for a missing admin token', async () => {
    const response = await fetch(`${closed.url}/enrichment/reprocess`, {
      method: 'POST',
      headers: { 'x-api-key': TOKEN },
    });
    expect([response.status, response.headers.get('www-authenticate')]).to.deep.equal([
      401,
      'X-Admin-Token realm="palimpsest"',
    ]);
  });

  const allowed: readonly (readonly [string, string, string])[] = [
    ['PUT', '/memory/batch', 'OPTIONS, POST'],
    ['PUT', '/memory/by-tag', 'DELETE, GET, HEAD, OPTIONS'],
    ['PUT', `/memory/${ID}`, 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['POST', '/', 'GET, HEAD, OPTIONS'],
  ];
  for (const [method, path, methods] of allowed) {
    it(`allow ${methods} at ${path.slice(0, 16)}`, async () => {
      const response = await fetch(edge.url + path, { method });
      expect([response.status, response.headers.get('allow')]).to.deep.equal([405, methods]);
    });
  }

  it('are not needed to find the description: GET / names it, without a token', async () => {
    const response = await closed.get('/');
    expect(response.status).to.equal(200);
    expect(await response.json()).to.include({ openapi: '/openapi.json', health: '/health' });
  });
});
