import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Client } from '../../../shared/client/client.js';
import { createClient } from '../../../shared/client/http-client.js';
import { rejection } from '../../support/checks/rejection.js';
import { memoryId } from '../command-api/fixtures.js';

type Answer = { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> };

describe('HTTP client', () => {
  let server: Server;
  let baseUrl: string;
  let seen: IncomingMessage[];
  let answers: Answer[];

  beforeEach(async () => {
    seen = [];
    answers = [];
    server = createServer((request, response) => {
      seen.push(request);
      request.resume();
      const { status, body = {}, headers = {} } = answers.shift() ?? { status: 200 };
      response.writeHead(status, headers);
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });

  function client(): Client {
    return createClient({ baseUrl: `${baseUrl}/`, token: 'secret', userAgent: 'test', retryDelaysMs: [1, 1, 1] });
  }

  it('fills path, query and headers from the operation', async () => {
    await client().call('updateMemory', { params: { id: memoryId(1) }, body: { importance: 1 }, ifMatch: '"2"' });
    await client().call('deleteByTag', { query: { tags: ['a,b', 'c d'] }, idempotencyKey: 'key' });

    expect(seen.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      `PATCH /memory/${memoryId(1)}`,
      'DELETE /memory/by-tag?tags=a%2Cb&tags=c+d',
    ]);
    expect(seen[0]?.headers).to.include({ authorization: 'Bearer secret', 'if-match': '"2"' });
    expect(seen[1]?.headers).to.include({ 'idempotency-key': 'key' });
  });

  it('retries 5xx three times', async () => {
    answers = [{ status: 503 }, { status: 500 }, { status: 201, body: { memory_id: 'x' } }];
    expect(await client().call('storeMemory', { body: { content: 'x' } })).to.deep.include({
      kind: 'answered',
      body: { memory_id: 'x' },
    });

    answers = Array.from({ length: 4 }, () => ({
      status: 503,
      body: { status: 'error', message: 'Graph database unavailable' },
    }));
    expect(await client().call('storeMemory', { body: { content: 'x' } })).to.deep.equal({
      kind: 'unavailable',
      status: 503,
      message: 'Graph database unavailable',
      hasEnvelope: true,
      effect: 'unknown',
    });
    expect(seen).to.have.length(7);
  });

  for (const body of [undefined, { message: 'No healthy upstream' }, { status: 'error' }])
    it(`knows the 503 of a proxy: ${JSON.stringify(body) ?? 'no body'}`, async () => {
      answers = Array.from({ length: 4 }, () => ({ status: 503, ...(body && { body }) }));
      const answer = await client().call('storeMemory', { body: { content: 'x' } });
      expect(answer).to.include({ kind: 'unavailable', status: 503, hasEnvelope: false });
    });

  it('sends the traceparent of the moment with each attempt', async () => {
    const spans = ['00-first', '00-second', null];
    const traced = createClient({
      baseUrl,
      token: null,
      userAgent: 'test',
      retryDelaysMs: [1, 1],
      traceparent: () => spans.shift() ?? null,
    });
    answers = [{ status: 503 }, { status: 503 }, { status: 200 }];
    await traced.call('health', {});
    expect(seen.map(({ headers }) => headers['traceparent'])).to.deep.equal(['00-first', '00-second', undefined]);
  });

  it('does not retry a rejected call', async () => {
    answers = [{ status: 400, body: { message: "'content' is required", field: 'content' } }];

    expect(await client().call('storeMemory', { body: { content: '' } })).to.deep.equal({
      kind: 'refused',
      status: 400,
      message: "'content' is required",
      field: 'content',
      effect: 'none',
    });
    expect(seen).to.have.length(1);
  });

  it('retries a 409 with Retry-After', async () => {
    answers = [{ status: 409, headers: { 'Retry-After': '0' } }, { status: 201 }];

    expect(await client().call('storeMemory', { body: { content: 'x' } })).to.include({ kind: 'answered' });
  });

  it('rejects the name of an operation that does not exist', async () => {
    const { message } = await rejection(client().call('storeMemories' as 'storeMemory', {}));
    expect(message).to.equal('There is no operation storeMemories: use a name of the OpenAPI document');
  });

  it('sends no token to another origin after a redirect', async () => {
    const requests: IncomingMessage[] = [];
    const other = createServer((request, response) => {
      requests.push(request);
      response.end('{}');
    });
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve);
    });
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const tokens = { token: 'secret', adminToken: 'admin', internalToken: 'internal' };
    const withTokens = createClient({ baseUrl, ...tokens, userAgent: 'test', retryDelaysMs: [] });
    try {
      for (const status of [302, 307, 308]) {
        answers = [{ status, headers: { location: `${elsewhere}/health` } }];
        expect(await withTokens.call('health', {})).to.deep.equal({
          kind: 'unreadable',
          status,
          message: `The service at ${baseUrl} redirects to ${elsewhere}: use the address that it redirects to`,
        });
      }
    } finally {
      other.close();
    }
    expect(requests.map(({ headers }) => headers)).to.deep.equal([]);
  });

  it('follows a redirect within its origin', async () => {
    answers = [
      { status: 308, headers: { location: '/v1/memory' } },
      { status: 201, body: { memory_id: 'x' } },
    ];

    expect(await client().call('storeMemory', { body: { content: 'x' } })).to.include({ kind: 'answered' });
    expect(seen.map(({ method, url }) => `${method} ${url}`)).to.deep.equal(['POST /memory', 'POST /v1/memory']);
  });

  it('reports a service that does not answer', async () => {
    const offline = createClient({ baseUrl: 'http://127.0.0.1:1', token: null, userAgent: 'test', retryDelaysMs: [] });

    expect(await offline.call('health', {})).to.include({ kind: 'unavailable', status: null });
  });
});
