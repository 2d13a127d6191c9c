import { expect } from 'chai';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { DependencyError, PreconditionError } from '../../../shared/kernel/errors.js';
import { echoOf, type Edge, openEdge } from '../../support/processes/http-edge.js';

const ID = '0b8f2f0e-6d0c-4f2a-9d8e-1c2b3a4d5e6f';

describe('HTTP edge', () => {
  let edge: Edge;
  before(async () => {
    edge = await openEdge({
      handlers: {
        health: async () => Promise.reject(new Error('secret detail')),
        enrichmentStatus: async () =>
          Promise.reject(new DependencyError('graph', 'Graph database unavailable', { retryAfterSeconds: 3 })),
        deleteByTag: async () =>
          Promise.reject(new ConfigurationError(['Postgres refuses this user: check POSTGRES_URL'])),
        deleteMemory: async () => Promise.reject(new PreconditionError('The memory has revision 8', 8)),
      },
    });
  });
  after(() => edge.close());

  async function problemOf(response: Response): Promise<Record<string, unknown>> {
    const { request_id: requestId, ...problem } = (await response.json()) as Record<string, unknown>;
    expect(requestId).to.equal(response.headers.get('x-request-id'));
    return problem;
  }

  function problem(code: number, message: string, more: object = {}): object {
    return { status: 'error', code, message, error: message, ...more };
  }

  describe('errors', () => {
    it('hide the message of an unexpected error', async () => {
      const response = await edge.get('/health');
      expect(response.status).to.equal(500);
      expect(await problemOf(response)).to.deep.equal(problem(500, 'Internal server error'));
    });

    it('hide a problem of the operator from the caller, and log it', async () => {
      const response = await fetch(`${edge.url}/memory/by-tag?tags=a`, { method: 'DELETE' });
      expect(response.status).to.equal(503);
      expect(JSON.stringify(await problemOf(response)))
        .to.contain('its log says what the operator must change')
        .and.not.contain('Postgres');
    });

    it('set Retry-After', async () => {
      const response = await edge.get('/enrichment/status');
      expect([response.status, response.headers.get('retry-after')]).to.deep.equal([503, '3']);
      expect(await problemOf(response)).to.deep.equal(problem(503, 'Graph database unavailable'));
    });

    it('contain the current revision of the memory', async () => {
      const response = await fetch(`${edge.url}/memory/${ID}`, { method: 'DELETE' });
      expect(await problemOf(response)).to.deep.equal(problem(412, 'The memory has revision 8', { revision: 8 }));
    });
  });

  describe('routes', () => {
    const unknown = ['/nowhere', '/recall/', '/memory/', '/Recall', '/memory/a/b', '//recall', '/%zz', '/__proto__'];
    for (const path of unknown)
      it(`answers 404 to ${path}`, async () => expect((await edge.get(path)).status).to.equal(404));

    it('answers 405 with the allowed methods', async () => {
      const response = await edge.post('/recall', {});
      expect([response.status, response.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
      expect(await problemOf(response)).to.deep.equal(problem(405, 'The method is not allowed for the requested URL.'));
    });

    it('answers HEAD for every GET with the length and without the body', async () => {
      const response = await fetch(`${edge.url}/livez`, { method: 'HEAD' });
      expect([response.status, response.headers.get('content-length'), await response.text()]).to.deep.equal([
        200,
        '15',
        '',
      ]);
    });

    const spellings = [ID, ID.toUpperCase(), ID.replaceAll('-', ''), `{${ID}}`, `urn:uuid:${ID}`];
    for (const spelling of spellings) {
      it(`reads the id ${spelling}`, async () => {
        expect((await echoOf(await edge.get(`/memory/${encodeURIComponent(spelling)}`))).params).to.deep.equal({
          id: ID,
        });
      });
    }

    for (const [method, path] of [
      ['GET', '/memory/batch'],
      ['DELETE', '/memory/batch'],
      ['GET', '/memory/nonsense'],
      ['PATCH', '/memory/%zz'],
      ['GET', `/memory/${ID}0`],
    ] as const) {
      it(`rejects the id in ${method} ${path}`, async () => {
        const response = await fetch(edge.url + path, { method });
        expect(response.status).to.equal(400);
        expect(await problemOf(response)).to.deep.equal(
          problem(400, 'memory_id must be a valid UUID', { field: 'memory_id' }),
        );
      });
    }

    it('routes by-tag before the ids', async () => {
      expect((await echoOf(await edge.get('/memory/by-tag?tags=a&tags=b,c&limit=900&offset=x'))).query).to.deep.equal({
        tags: ['a', 'b,c'],
        limit: 200,
      });
    });
  });

  describe('headers', () => {
    const patch = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${edge.url}/memory/${ID}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      });

    it('contain the id of the request, which the caller may set to a UUID', async () => {
      expect((await edge.get('/livez', { 'x-request-id': ID.toUpperCase() })).headers.get('x-request-id')).to.equal(ID);
      expect((await edge.get('/livez', { 'x-request-id': 'mine' })).headers.get('x-request-id')).to.match(
        /^00000000-0000-4000-8000-/u,
      );
    });

    it('pass a traceparent on and drop an invalid one', async () => {
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      expect((await echoOf(await edge.get('/recall', { traceparent }))).context.traceparent).to.equal(traceparent);
      expect((await echoOf(await edge.get('/recall', { traceparent: 'nonsense' }))).context.traceparent).to.equal(null);
    });

    for (const [header, read] of [
      ['"7"', [7]],
      ['7', [7]],
      ['W/"7"', [7]],
      ['"7", W/"8" ,9', [7, 8, 9]],
      ['*', '*'],
    ] as const) {
      it(`read If-Match: ${header}`, async () => {
        expect((await echoOf(await patch({ 'if-match': header }))).context.ifMatch).to.deep.equal(read);
      });
    }
    for (const header of ['w/"7"', '"7",', '"7" "8"', '"7", *', 'seven', '-1', '']) {
      it(`reject If-Match: ${header || '(empty)'}`, async () =>
        expect((await patch({ 'if-match': header })).status).to.equal(400));
    }
    for (const header of ['x'.repeat(256), 'é', '']) {
      it(`reject Idempotency-Key: ${header.slice(0, 10) || '(empty)'}`, async () => {
        expect((await edge.post('/associate', {}, { 'idempotency-key': header })).status).to.equal(400);
      });
    }

    it('map one Idempotency-Key of one operation to one command key', async () => {
      const keyOf = async (path: string, key: string, body: object): Promise<string | null> =>
        (await echoOf(await edge.post(path, body, { 'idempotency-key': key }))).context.commandKey;
      const first = await keyOf('/memory', 'k', { content: 'x' });
      expect(first).to.match(/^[0-9a-f]{64}$/u);
      expect(await keyOf('/memory', 'k', { content: 'y' })).to.equal(first);
      expect(await keyOf('/memory', 'l', { content: 'x' })).not.to.equal(first);
      expect(await keyOf('/associate', 'k', {})).not.to.equal(first);
    });

    it('give two different requests with one key two request hashes', async () => {
      const hashOf = async (body: string): Promise<string> =>
        (await echoOf(await edge.post('/memory', body))).context.requestHash;
      expect(await hashOf('{"content":"x"}')).to.equal(await hashOf('{"content":"x"}'));
      expect(await hashOf('{"content":"x"}')).not.to.equal(await hashOf('{"content":"y"}'));
    });
  });

  describe('CORS', () => {
    it('answers every preflight request with 200', async () => {
      const response = await fetch(`${edge.url}/graph/stats`, {
        method: 'OPTIONS',
        headers: { origin: 'http://console' },
      });
      expect([response.status, response.headers.get('access-control-allow-origin')]).to.deep.equal([200, '*']);
      expect(response.headers.get('access-control-allow-methods')).to.equal(
        'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
      );
      expect(response.headers.get('access-control-allow-headers')).to.include('Authorization').and.not.include('Admin');
    });

    it('sets its headers on errors too', async () => {
      expect(
        (await edge.get('/nowhere', { origin: 'http://console' })).headers.get('access-control-allow-origin'),
      ).to.equal('*');
    });
  });

  describe('query strings', () => {
    it('are read up to 20 KB', async () => {
      const response = await edge.get(`/recall?embedding=${'0.125,'.repeat(3_400)}1`);
      expect(response.status).to.equal(200);
    });

    it('are rejected with 414 above 64 KB', async () =>
      expect((await edge.get(`/recall?query=${'x'.repeat(66_000)}`)).status).to.equal(414));

    it('get the same 414 above the limit of the parser', async () => {
      const response = await edge.get(`/recall?query=${'x'.repeat(400_000)}`);
      expect(response.status).to.equal(431);
      expect(await response.json()).to.include({ status: 'error', code: 431 });
    });

    it('are rejected with a NUL', async () => expect((await edge.get('/recall?tags=a%00b')).status).to.equal(400));
  });
});
