import { expect } from 'chai';
import type { IncomingMessage } from 'node:http';
import type { Client, ClientOptions } from '../../../shared/client/client.js';
import { createClient } from '../../../shared/client/create-client.js';
import { answerJson, openStubInstance, type StubInstance } from '../../support/stub-instance.js';
import { until } from '../../support/until.js';

const STORE = { body: { content: 'x' } };
const AN_HOUR_MS = 3_600_000;

describe('a call of the client that does not go well', () => {
  let stub: StubInstance;

  beforeEach(async () => {
    stub = await openStubInstance('service');
  });

  afterEach(() => stub.close());

  const client = (options: Partial<ClientOptions> = {}): Client =>
    createClient({ baseUrl: stub.url, token: null, userAgent: 'test', retryDelaysMs: [1, 1, 1], ...options });
  const keyOf = ({ headers }: IncomingMessage) => headers['idempotency-key'];

  it('keeps one Idempotency-Key for all attempts, and another for the next call', async () => {
    stub.does((_, response) => answerJson(response, stub.requests.length === 3 ? 201 : 503, {}));
    await client().call('storeMemory', STORE);
    await client({ retryDelaysMs: [] }).call('storeMemory', STORE);

    const [first, second, third, other] = stub.requests.map(keyOf);
    expect(first).to.be.a('string').and.not.equal('');
    expect([second, third]).to.deep.equal([first, first]);
    expect(other).to.be.a('string').and.not.equal(first);
  });

  it('sends a key that was given, and none where the operation takes none', async () => {
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
    it(`tells a success with ${what} apart, and does not try it again`, async () => {
      stub.does((_, response) => response.writeHead(200).end(body));

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

  it('reads the reason of a refusal wherever it is said', async () => {
    for (const [body, message] of [
      ['{"message": "m"}', 'm'],
      ['{"detail": "d"}', 'd'],
      ['{"message": {}}', 'HTTP 404'],
      ['<html>', 'HTTP 404'],
    ] as const) {
      stub.does((_, response) => response.writeHead(404).end(body));
      expect(await client().call('recall', {})).to.deep.equal({ kind: 'refused', status: 404, message, field: null });
    }
  });

  it('knows that nothing was done when nobody listens', async () => {
    await stub.close();

    const answer = await client().call('storeMemory', STORE);

    expect(answer).to.include({ kind: 'unavailable', status: null, effect: 'none' });
    expect(answer).to.have.property('message').that.includes(`${stub.url} cannot be reached (connect ECONNREFUSED`);
  });

  it('does not know what was done when no answer came, also where a later attempt is refused', async () => {
    stub.does((request, response) => {
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

  it('gives an attempt up after its time', async () => {
    stub.does(() => undefined);

    expect(await client({ timeoutMs: 20, retryDelaysMs: [1] }).call('storeMemory', STORE)).to.deep.equal({
      kind: 'unavailable',
      status: null,
      message: `The service at ${stub.url} did not answer in time`,
      effect: 'unknown',
    });
    expect(stub.requests).to.have.length(2);
  });

  it('sends nothing for a caller who has gone', async () => {
    expect(await client().call('storeMemory', { ...STORE, signal: AbortSignal.abort() })).to.include({
      kind: 'cancelled',
      effect: 'none',
    });
    expect(stub.requests).to.deep.equal([]);
  });

  it('ends at once when it is cancelled in an attempt or between two', async () => {
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

    stub.does(() => undefined);
    expect(
      await cancelledOnce(
        () => stub.requests.length === 1,
        (signal) => patient.call('storeMemory', { ...STORE, signal }),
      ),
    ).to.deep.equal({ kind: 'cancelled', status: null, message: 'The call was cancelled', effect: 'unknown' });

    let hasAnswered = false;
    stub.does((_, response) => {
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
