/**
 * Failing instances behind a gateway: a read goes to another instance, a command is never sent twice, and errors carry
 * Retry-After.
 */
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { GatewayLimits } from '../../../deploy/gateway/gateway-limits.js';
import { type Gateway, GATEWAYS, GATEWAYS_NOTE } from '../../support/adapters/gateways.js';
import { until } from '../../support/checks/until.js';
import { answerJson, openStubInstance, type StubInstance } from '../../support/servers/stub-instance.js';

const MEMORY = '/memory/00000000-0000-4000-8000-000000000001';

for (const adapter of GATEWAYS) {
  describe(`gateway, ${adapter.name}${GATEWAYS_NOTE}`, () => {
    let instances: readonly [StubInstance, StubInstance];
    let gateway: Gateway | undefined;
    beforeEach(async () => {
      instances = await Promise.all([openStubInstance('one'), openStubInstance('two')]);
    });
    afterEach(async () => {
      await gateway?.close();
      gateway = undefined;
      await Promise.all(instances.map((instance) => instance.close()));
    });

    /** Opens the gateway with both instances as instances of both APIs. */
    async function open(limits: Partial<GatewayLimits> = {}, urls = instances.map(({ url }) => url)): Promise<Gateway> {
      gateway = await adapter.open({ instances: { command: urls, query: urls }, limits });
      return gateway;
    }
    function send(method: string, path: string): Promise<Response> {
      const body = method === 'POST' || method === 'PATCH' ? { body: '{"content":"a"}' } : {};
      return fetch(`${gateway?.url}${path}`, { method, ...body });
    }
    function received(): number {
      return instances[0].requests.length + instances[1].requests.length;
    }

    it('distributes requests over all instances', async () => {
      await open();
      const names = new Set<string>();
      for (let round = 0; round < 20; round += 1)
        names.add(((await (await send('GET', '/recall')).json()) as { instance: string }).instance);
      expect([...names].sort()).to.deep.equal(['one', 'two']);
    });

    it('answers /livez while no instance answers', async () => {
      await open();
      for (const instance of instances) instance.respondWith(() => undefined);
      const answer = await send('GET', '/livez');
      expect([answer.status, await answer.json()]).to.deep.equal([200, { status: 'ok' }]);
      expect(answer.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/u);
      const head = await send('HEAD', '/livez');
      expect([head.status, await head.text()]).to.deep.equal([200, '']);
      expect(received()).to.equal(0);
    });

    it('retries a read when an instance closes the connection', async () => {
      await open();
      instances[0].respondWith((request) => request.socket.destroy());
      for (let round = 0; round < 6; round += 1)
        expect(await (await send('GET', '/recall')).json()).to.deep.equal({ instance: 'two' });
    });

    it('retries a read when an instance does not answer in time', async () => {
      await open({ readTimeoutMs: 150 });
      instances[0].respondWith(() => undefined);
      for (let round = 0; round < 4; round += 1)
        expect(await (await send('GET', '/recall')).json()).to.deep.equal({ instance: 'two' });
    });

    for (const [method, path] of [
      ['POST', '/memory'],
      ['PATCH', MEMORY],
      ['DELETE', MEMORY],
    ] as const) {
      it(`sends a ${method} once, whatever its outcome`, async () => {
        await open({ commandTimeoutMs: 150 });
        for (const instance of instances) instance.respondWith((request) => request.socket.destroy());
        const broken = await send(method, path);
        expect([broken.status, broken.headers.get('retry-after'), received()]).to.deep.equal([502, '1', 1]);
        for (const instance of instances) instance.respondWith(() => undefined);
        // nginx does not use an instance for a second after a failure; the other of the two is available.
        const late = await send(method, path);
        expect([late.status, late.headers.get('retry-after'), received()]).to.deep.equal([504, '1', 2]);
      });
    }

    for (const [method, path] of [
      ['POST', '/memory'],
      ['PATCH', MEMORY],
    ] as const) {
      it(`retries a ${method} when an instance refuses connections`, async () => {
        await open();
        await instances[0].close();
        for (let round = 0; round < 4; round += 1)
          expect(await (await send(method, path)).json()).to.deep.equal({ instance: 'two' });
      });
    }

    it('answers 502 with Retry-After when no instance is available', async () => {
      const gone = await openStubInstance('gone');
      await gone.close();
      await open({}, [gone.url]);
      const answer = await send('GET', '/recall');
      const problem = (await answer.json()) as Record<string, unknown>;
      expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('content-type')]).to.deep.equal([
        502,
        '1',
        'application/json',
      ]);
      expect(problem).to.include({ status: 'error', code: 502 });
      expect(problem['message']).to.be.a('string').and.equal(problem['error']);
      expect(problem['request_id']).to.equal(answer.headers.get('x-request-id'));
    });

    it('uses a recovered instance at once when every instance failed a moment ago', async () => {
      await open();
      for (const instance of instances) instance.respondWith((request) => request.socket.destroy());
      expect((await send('GET', '/recall')).status).to.equal(502);
      for (const instance of instances) instance.respondWith((_, response) => answerJson(response, 200, {}));
      expect((await send('GET', '/recall')).status).to.equal(200);
    });

    it('answers with Retry-After while every instance is full', async () => {
      await open({ requestsPerInstance: 1 });
      for (const instance of instances)
        instance.respondWith((request, response) => {
          if (request.url === '/recall') answerJson(response, 200, {});
        });
      const pending = [0, 1].map((number) =>
        send('POST', `/memory/batch?hold=${number}`).catch((error: unknown) => error),
      );
      await until('both instances are busy', () => received() === 2);
      const rejected = await send('POST', '/memory');
      expect(rejected.status).to.be.oneOf([502, 503]);
      expect(rejected.headers.get('retry-after')).to.equal('1');
      expect(received()).to.equal(2);
      await gateway?.close();
      gateway = undefined;
      await Promise.all(pending);
    });

    it('refuses further requests of one caller with 429, and serves the others', async () => {
      await open({ requestsPerCaller: 2 });
      const held: ServerResponse[] = [];
      for (const instance of instances)
        instance.respondWith((request, response) => {
          if (request.url?.includes('hold') === true) held.push(response);
          else answerJson(response, 200, {});
        });
      const ask = (path: string, headers: Record<string, string>): Promise<Response> =>
        fetch(`${gateway?.url}${path}`, { headers });
      const statusOf = async (headers: Record<string, string>, path = '/recall'): Promise<number> =>
        (await ask(path, headers)).status;
      const pending = [0, 1].map((number) => ask(`/recall?hold=${number}`, { authorization: 'Bearer one' }));
      await until('both requests are at the instances', () => held.length === 2);

      const refused = await ask('/recall', { authorization: 'Bearer one' });
      expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([429, '1']);
      expect(await refused.json()).to.include({ status: 'error', code: 429 });
      for (const same of [{ authorization: 'bearer   one', 'x-api-key': 'two' }, { 'x-api-key': 'one' }])
        expect(await statusOf(same, '/recall?api_key=two'), JSON.stringify(same)).to.equal(429);
      for (const other of [{ authorization: 'Bearer two' }, { authorization: 'Basic one' }, {}])
        expect(await statusOf(other, '/recall?api_key=one'), JSON.stringify(other)).to.equal(200);

      for (const response of held) answerJson(response, 200, {});
      for (const answer of pending) await (await answer).text();
      await until('the caller is served again', async () => (await statusOf({ authorization: 'Bearer one' })) === 200);
    });

    it('counts only the running requests of an instance', async () => {
      await open({ requestsPerInstance: 2 });
      instances[0].respondWith((_, response) => {
        response.write('{');
        setImmediate(() => response.destroy());
      });
      for (let round = 0; round < 12; round += 1)
        await send('GET', '/recall')
          .then((answer) => answer.text())
          .catch((error: unknown) => error);
      for (const instance of instances) instance.respondWith((_, response) => answerJson(response, 200, {}));
      await until('reads are answered again', async () => (await send('GET', '/recall')).status === 200);
      for (let round = 0; round < 6; round += 1) expect((await send('GET', '/recall')).status).to.equal(200);
    });

    it('ends a request when the client disconnects', async () => {
      await open();
      const gone = new Set<string>();
      for (const instance of instances)
        instance.respondWith((request, response) => response.once('close', () => gone.add(request.url ?? '')));
      const disconnect = new AbortController();
      const answer = fetch(`${gateway?.url}/recall`, { signal: disconnect.signal }).catch((error: unknown) => error);
      await until('an instance has the request', () => received() === 1);
      disconnect.abort();
      await until('the request at the instance ends', () => gone.has('/recall'));
      expect(await answer).to.be.instanceOf(Error);
    });
  });
}
