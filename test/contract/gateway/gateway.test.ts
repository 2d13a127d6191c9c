/** A gateway forwards requests and responses unchanged, and logs no secrets. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { BODY_LIMIT_BYTES, CHUNKS_LIMIT } from '../../../shared/contract/limits.js';
import { type Gateway, GATEWAYS, GATEWAYS_NOTE } from '../../support/adapters/gateways.js';
import { until } from '../../support/checks/until.js';
import { answerJson, openStubInstance, type StubInstance } from '../../support/servers/stub-instance.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;

for (const adapter of GATEWAYS) {
  describe(`gateway, ${adapter.name}${GATEWAYS_NOTE}`, () => {
    let command: StubInstance;
    let query: StubInstance;
    let gateway: Gateway;
    beforeEach(async () => {
      command = await openStubInstance('command');
      query = await openStubInstance('query');
      gateway = await adapter.open({ instances: { command: [command.url], query: [query.url] } });
    });
    afterEach(async () => {
      await gateway.close();
      await Promise.all([command.close(), query.close()]);
    });

    it('sends reads and writes of one path to their APIs', async () => {
      const ask = async (method: string, path: string): Promise<string> =>
        ((await (await fetch(gateway.url + path, { method })).json()) as { instance: string }).instance;
      expect(await ask('GET', '/recall?query=POST:/memory')).to.equal('query');
      expect(await ask('POST', '/memory')).to.equal('command');
      expect(await ask('GET', '/memory/by-tag?tags=a')).to.equal('query');
      expect(await ask('DELETE', '/memory/by-tag?tags=a')).to.equal('command');
      expect(await ask('GET', '/memory/00000000-0000-4000-8000-000000000001')).to.equal('query');
      expect(await ask('PATCH', '/memory/00000000-0000-4000-8000-000000000001')).to.equal('command');
      expect(await ask('GET', '/memoryx')).to.equal('query');
    });

    it('forwards path and query string unchanged', async () => {
      const path = '/memory/a%2Fb%20c//d?tags=%C3%A4&tags=b+c&api_key=a%26b';
      await fetch(gateway.url + path);
      expect(query.requests.map(({ url }) => url)).to.deep.equal([path]);
    });

    it('forwards headers both ways, except hop-by-hop headers', async () => {
      command.respondWith((_, response) =>
        answerJson(
          response.setHeader('etag', '"7"').setHeader('retry-after', '3').setHeader('memory-position', '6c1f09b2.12'),
          409,
          {},
        ),
      );
      const headers = {
        'idempotency-key': 'one',
        'if-match': '"6"',
        authorization: 'Bearer t',
        'x-internal-token': 'guessed',
        'content-type': 'application/json',
      };
      const answer = await fetch(`${gateway.url}/memory`, { method: 'POST', headers, body: '{}' });
      expect([
        answer.status,
        answer.headers.get('etag'),
        answer.headers.get('retry-after'),
        answer.headers.get('memory-position'),
      ]).to.deep.equal([409, '"7"', '3', '6c1f09b2.12']);
      const [request] = command.requests;
      expect(request?.headers).to.include({
        'idempotency-key': 'one',
        'if-match': '"6"',
        authorization: 'Bearer t',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
      });
      expect(request?.headers).to.include({
        host: new URL(gateway.url).host,
        'x-forwarded-host': new URL(gateway.url).host,
      });
      expect(request?.headers, 'only our own processes may use internal operations').to.not.have.property(
        'x-internal-token',
      );
    });

    it('forwards the trace of the client unchanged', async () => {
      const trace = { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`, tracestate: 'vendor=1' };
      await fetch(`${gateway.url}/recall`, { headers: trace });
      expect(query.requests[0]?.headers).to.include(trace);
    });

    it('gives every request an id, and keeps a valid one', async () => {
      const id = '11111111-2222-4333-8444-555555555555';
      await fetch(`${gateway.url}/recall`, { headers: { 'x-request-id': id } });
      await fetch(`${gateway.url}/recall`, { headers: { 'x-request-id': 'no id' } });
      const [kept, made] = query.requests.map(({ headers }) => headers['x-request-id']);
      expect(kept).to.equal(id);
      expect(made).to.match(UUID);
    });

    it('forwards each event of a stream immediately', async () => {
      let send = (_: string): void => {
        throw new Error('the stream was not requested');
      };
      query.respondWith((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        send = (text) => {
          response.write(text);
        };
      });
      const disconnect = new AbortController();
      const answer = await fetch(`${gateway.url}/stream?only=events`, { signal: disconnect.signal });
      const events = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
        send(text);
        expect((await events?.read())?.value).to.equal(text);
      }
      disconnect.abort();
    });

    it('forwards a body just over the limit, not a far larger one', async () => {
      let receivedBytes = 0;
      command.respondWith((request, response) => {
        request
          .on('data', (chunk: Buffer) => {
            receivedBytes += chunk.length;
          })
          .on('end', () => answerJson(response, 413, { error: 'rejected by the API' }));
      });
      const post = (bytes: number): Promise<Response> =>
        fetch(`${gateway.url}/memory`, { method: 'POST', body: Buffer.alloc(bytes, ' ') });
      expect(await (await post(BODY_LIMIT_BYTES + 1)).json()).to.deep.equal({ error: 'rejected by the API' });
      expect(receivedBytes).to.equal(BODY_LIMIT_BYTES + 1);
      command.respondWith(() => {
        throw new Error('the API must not receive this request');
      });
      const rejected = await fetch(`${gateway.url}/memory`, {
        method: 'POST',
        body: Buffer.alloc(BODY_LIMIT_BYTES + 2 * 1024 * 1024),
      });
      expect(rejected.status).to.equal(413);
      expect(await rejected.json()).to.include({ status: 'error', code: 413 });
    });

    it('sends an instance few chunks of a body that has thousands', async () => {
      let received = 0;
      command.respondWith((request, response) => {
        request.on('data', () => (received += 1)).on('end', () => answerJson(response, 200, {}));
      });
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').setEncoding('utf8');
      const answered = once(socket, 'data');
      socket.write('POST /memory HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n');
      socket.write(`${'1\r\n \r\n'.repeat(20_000)}0\r\n\r\n`);
      const [head] = (await answered) as [string];
      expect(head).to.match(/^HTTP\/1\.1 (200|413) /u); // nginx joins the chunks, the router refuses them
      expect(received).to.be.at.most(CHUNKS_LIMIT);
      socket.destroy();
    });

    it('reuses its connections to an API', async () => {
      for (let round = 0; round < 20; round += 1) await (await fetch(`${gateway.url}/recall`)).text();
      expect(query.requests).to.have.lengthOf(20);
      // At most one for each worker of nginx.
      expect(query.connections()).to.be.below(10);
    });

    it('logs no query string and no credentials of a failed request', async () => {
      const ask = (): Promise<Response> =>
        fetch(`${gateway.url}/recall?query=secret-word&api_key=secret-key`, {
          headers: { authorization: 'Bearer secret-token' },
        });
      await (await ask()).text();
      await query.close();
      expect((await ask()).status).to.equal(502);
      // A request is logged after its answer.
      const logs = await until('both requests are logged', async () => {
        const text = await gateway.logs();
        return [200, 502].every((status) => text.includes(`"status":${status}`)) && text;
      });
      expect(logs).to.include('"/recall"').and.not.include('secret');
    });
  });
}
