import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { createPostEvent, type PostEvent } from '../../../../../projectors/jobs/webhook-sender/post-event.js';
import { createOutboundAddresses, type Resolve } from '../../../../../shared/http/outbound-address.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../../../support/clients/webhook-receiver.js';
import { SELF_SIGNED } from '../../../../support/fixtures/self-signed.js';
import { freePort } from '../../../../support/processes/free-port.js';

const LOOPBACK = { address: '127.0.0.1', family: 4 };

describe('createPostEvent', () => {
  let receiver: WebhookReceiver;
  let poster: PostEvent;
  before(async () => {
    receiver = await startWebhookReceiver();
  });
  after(() => receiver.close());
  afterEach(() => poster.close());

  function open({
    networks = ['127.0.0.0/8'],
    resolve,
    timeoutMs = 30_000,
  }: { readonly networks?: readonly string[]; readonly resolve?: Resolve; readonly timeoutMs?: number } = {}) {
    poster = createPostEvent({ addresses: createOutboundAddresses(networks, resolve), timeoutMs });
    return (url = receiver.url, signal = new AbortController().signal) =>
      poster.post({ url, headers: { 'webhook-id': 'one' }, body: '{"type":"memory.stored"}' }, signal);
  }

  it('posts the body and returns the status', async () => {
    receiver.answer(() => 201);
    expect(await open()()).to.deep.equal({ kind: 'answered', status: 201, retryAfterSeconds: null });
    expect(receiver.received.at(-1)).to.deep.include({ id: 'one', body: '{"type":"memory.stored"}' });
  });

  it('does not follow a redirect', async () => {
    const count = receiver.received.length;
    receiver.answer(() => (response) => response.writeHead(301, { location: receiver.url }).end());
    expect(await open()()).to.include({ status: 301 });
    expect(receiver.received).to.have.length(count + 1);
  });

  it('reads Retry-After as seconds and as a date, and ignores anything else', async () => {
    const post = open();
    const wait = async (value: string): Promise<number | null> => {
      receiver.answer(() => (response) => response.writeHead(503, { 'retry-after': value }).end());
      const answer = await post();
      return answer.kind === 'answered' ? answer.retryAfterSeconds : -1;
    };
    expect(await wait('120')).to.equal(120);
    expect(await wait(new Date(Date.now() + 3_600_000).toUTCString())).to.be.within(3_000, 3_600);
    for (const value of ['0', '-5', 'soon', new Date(0).toUTCString()]) expect(await wait(value), value).to.equal(null);
  });

  it('reads a few KB of an answer of 10 MB', async () => {
    let sent = 0;
    const closed = new Promise((resolve) =>
      receiver.answer(() => (response) => {
        response.writeHead(200).on('close', resolve);
        const chunk = Buffer.alloc(64 * 1024);
        const more = (): void => {
          while (sent < 10_000_000 && !response.destroyed) {
            sent += chunk.length;
            if (!response.write(chunk)) return void response.once('drain', more);
          }
          response.end();
        };
        more();
      }),
    );
    expect(await open()()).to.include({ status: 200 });
    await closed;
    expect(sent).to.be.below(10_000_000);
  });

  it('ends an attempt that gets no answer, or an answer without end', async () => {
    const post = open({ timeoutMs: 200 });
    receiver.answer(() => () => undefined);
    expect(await post()).to.deep.equal({ kind: 'failed', error: 'The receiver did not answer within 200 ms' });
    receiver.answer(() => (response) => void response.writeHead(200).write('{'));
    expect(await post()).to.include({ status: 200 });
  });

  it('ends an attempt at a port that accepts connections and says nothing', async () => {
    const accepted: Socket[] = [];
    const silent = createServer((socket) => void accepted.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    for (const protocol of ['http', 'https'])
      expect(await open({ timeoutMs: 200 })(`${protocol}://127.0.0.1:${port}/`)).to.deep.equal({
        kind: 'failed',
        error: 'The receiver did not answer within 200 ms',
      });
    for (const socket of accepted) socket.destroy();
    silent.close();
  });

  it('says that no server is there', async () => {
    expect(await open()(`http://127.0.0.1:${await freePort()}/`)).to.deep.equal({
      kind: 'failed',
      error: 'The receiver cannot be reached (ECONNREFUSED)',
    });
  });

  it('refuses a certificate that no authority signed', async () => {
    const self = await startWebhookReceiver({ tls: SELF_SIGNED });
    const answer = await open()(self.url);
    expect(answer).to.deep.equal({
      kind: 'failed',
      error: 'The receiver has no certificate that fits (DEPTH_ZERO_SELF_SIGNED_CERT)',
    });
    expect(self.received).to.deep.equal([]);
    await self.close();
  });

  it('refuses an address of this machine before it connects', async () => {
    const count = receiver.received.length;
    const { port } = receiver;
    const post = open({ networks: [] });
    for (const host of ['127.0.0.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', 'localhost'])
      expect(await post(`https://${host}:${port}/`), host)
        .to.have.property('error')
        .that.includes('which is not a public address');
    expect(receiver.received).to.have.length(count);
  });

  it('refuses a name whose address changes after its check', async () => {
    const answers = [[{ address: '8.8.8.8', family: 4 }], [LOOPBACK]];
    const resolve: Resolve = async () => answers.shift() ?? [LOOPBACK];
    const addresses = createOutboundAddresses([], resolve);
    poster = createPostEvent({ addresses, timeoutMs: 30_000 });
    const checked = await new Promise((done) =>
      addresses.lookup('https:')('rebinding.test', { all: true }, (_, found) => done(found)),
    );
    expect(checked).to.deep.equal([{ address: '8.8.8.8', family: 4 }]);
    const url = `https://rebinding.test:${receiver.port}/`;
    expect(await poster.post({ url, headers: {}, body: '' }, new AbortController().signal))
      .to.have.property('error')
      .that.includes('rebinding.test (127.0.0.1), which is not a public address');
  });

  it('connects to an allowed address of a name', async () => {
    receiver.answer(() => 204);
    const post = open({ resolve: async () => [{ address: '8.8.8.8', family: 4 }, LOOPBACK] });
    expect(await post(`http://receiver.test:${receiver.port}/`)).to.include({ status: 204 });
  });

  it('rejects when the signal is aborted', async () => {
    const cut = new AbortController();
    receiver.answer(() => () => cut.abort());
    const outcome = await open()(receiver.url, cut.signal).catch((error: unknown) => error);
    expect(outcome).to.have.property('name', 'AbortError');
  });
});
