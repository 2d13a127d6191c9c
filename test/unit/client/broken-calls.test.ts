import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import type { Client, ClientOptions } from '../../../shared/client/client.js';
import { createClient } from '../../../shared/client/http-client.js';
import { until } from '../../support/checks/until.js';
import { answerJson, openStubInstance, type StubInstance } from '../../support/servers/stub-instance.js';

const STORE = { body: { content: 'x' } };
/** A port that no program takes: other test files listen on the free ones, also on one that was just closed. */
const NOWHERE = 'http://127.0.0.1:2';
const AN_HOUR_MS = 3_600_000;

describe('HTTP client: failed calls', () => {
  let stub: StubInstance;

  beforeEach(async () => {
    stub = await openStubInstance('service');
  });

  afterEach(() => stub.close());

  const client = (options: Partial<ClientOptions> = {}): Client =>
    createClient({ baseUrl: stub.url, token: null, userAgent: 'test', retryDelaysMs: [1, 1, 1], ...options });
  const keyOf = ({ headers }: IncomingMessage) => headers['idempotency-key'];

  it('use one Idempotency-Key for all attempts of a call', async () => {
    stub.respondWith((_, response) => answerJson(response, stub.requests.length === 3 ? 201 : 503, {}));
    await client().call('storeMemory', STORE);
    await client({ retryDelaysMs: [] }).call('storeMemory', STORE);

    const [first, second, third, other] = stub.requests.map(keyOf);
    expect(first).to.be.a('string').and.not.equal('');
    expect([second, third]).to.deep.equal([first, first]);
    expect(other).to.be.a('string').and.not.equal(first);
  });

  it('send a given Idempotency-Key only where it is taken', async () => {
    await client().call('storeMemory', { ...STORE, idempotencyKey: 'mine' });
    await client().call('recall', {});
    await client().call('recordAccess', { body: { ids: [], at: '2024-01-01T00:00:00+00:00' } });

    expect(stub.requests.map(keyOf)).to.deep.equal(['mine', undefined, undefined]);
  });

  for (const [body, what] of [
    ['{"memory_id": "4', 'half a JSON'],
    ['<html>Welcome</html>', 'a page'],
    ['', 'nothing'],
    ['[]', 'a list'],
  ] as const) {
    it(`report a success with ${what} as unreadable without a retry`, async () => {
      stub.respondWith((_, response) => response.writeHead(200).end(body));

      expect(await client().call('storeMemory', STORE)).to.deep.equal({
        kind: 'unreadable',
        status: 200,
        message: 'Invalid JSON response (200)',
        effect: 'unknown',
      });
      expect(await client().call('recall', {})).to.deep.equal({
        kind: 'unreadable',
        status: 200,
        message: 'Invalid JSON response (200)',
      });
      expect(stub.requests).to.have.length(2);
    });
  }

  it('take their text from message, detail or status', async () => {
    for (const [body, message] of [
      ['{"message": "m"}', 'm'],
      ['{"detail": "d"}', 'd'],
      ['{"message": {}}', 'HTTP 404'],
      ['<html>', 'HTTP 404'],
    ] as const) {
      stub.respondWith((_, response) => response.writeHead(404).end(body));
      expect(await client().call('recall', {})).to.deep.equal({ kind: 'refused', status: 404, message, field: null });
    }
  });

  it('have the effect none without a connection', async () => {
    const answer = await client({ baseUrl: NOWHERE }).call('storeMemory', STORE);

    expect(answer).to.include({ kind: 'unavailable', status: null, effect: 'none' });
    expect(answer).to.have.property('message').that.includes(`${NOWHERE} cannot be reached (connect ECONNREFUSED`);
  });

  it('have the effect unknown after an unanswered attempt', async () => {
    stub.respondWith((request, response) => {
      if (stub.requests.length === 1) request.socket.destroy();
      else answerJson(response, 401, { message: 'Unauthorized' });
    });

    expect(await client().call('storeMemory', STORE)).to.deep.equal({
      kind: 'refused',
      status: 401,
      message: 'Unauthorized',
      field: null,
      effect: 'unknown',
    });
  });

  it('end an attempt at its timeout', async () => {
    stub.respondWith(() => undefined);

    // Long enough for a request to leave a busy machine: an attempt that ends before is one that the stub never sees.
    expect(await client({ timeoutMs: 500, retryDelaysMs: [1] }).call('storeMemory', STORE)).to.deep.equal({
      kind: 'unavailable',
      status: null,
      message: `The service at ${stub.url} did not answer in time`,
      hasEnvelope: false,
      effect: 'unknown',
    });
    expect(stub.requests).to.have.length(2);
  });

  it('send nothing when the signal is already aborted', async () => {
    expect(await client().call('storeMemory', { ...STORE, signal: AbortSignal.abort() })).to.include({
      kind: 'cancelled',
      effect: 'none',
    });
    expect(stub.requests).to.deep.equal([]);
  });

  it('end immediately on cancel, in an attempt or between two', async () => {
    const cancelledOnce = async (
      isReached: () => boolean,
      call: (signal: AbortSignal) => ReturnType<Client['call']>,
    ) => {
      const caller = new AbortController();
      const answer = call(caller.signal);
      await until('the call has come so far', isReached);
      caller.abort();
      return answer;
    };
    const patient = client({ retryDelaysMs: [AN_HOUR_MS] });

    stub.respondWith(() => undefined);
    expect(
      await cancelledOnce(
        () => stub.requests.length === 1,
        (signal) => patient.call('storeMemory', { ...STORE, signal }),
      ),
    ).to.deep.equal({ kind: 'cancelled', status: null, message: 'The call was cancelled', effect: 'unknown' });

    let hasAnswered = false;
    stub.respondWith((_, response) => {
      response.on('close', () => {
        hasAnswered = true;
      });
      answerJson(response, 503, {});
    });
    expect(
      await cancelledOnce(
        () => hasAnswered,
        (signal) => patient.call('recall', { signal }),
      ),
    ).to.deep.equal({ kind: 'cancelled', status: null, message: 'The call was cancelled' });
  });
});
