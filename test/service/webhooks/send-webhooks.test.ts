/** Events on their way to receivers of this machine, which verify them as Standard Webhooks asks. */
import { expect } from 'chai';
import { WEBHOOK_DISABLED } from '../../../shared/contract/maintenance/webhooks.js';
import { createPrometheusMetrics } from '../../../shared/kernel/metrics/prometheus-metrics.js';
import { createWordHashEmbedder } from '../../support/adapters/word-hash-embedder.js';
import { until } from '../../support/checks/until.js';
import { watch } from '../../support/clients/event-stream.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/clients/webhook-receiver.js';
import { SELF_SIGNED } from '../../support/fixtures/self-signed.js';
import { expectAlerts } from '../../support/observability/expect-alerts.js';
import { recordFigures } from '../../support/observability/figure-record.js';
import { type Service, startService } from '../../support/processes/service.js';

const HEADERS = { 'X-Admin-Token': 'admin-token' };
const DAY_MS = 24 * 3_600_000;
const TIMEOUT_MS = 1_000;

describe('sending webhooks', () => {
  let service: Service;
  let receiver: WebhookReceiver;
  let aheadMs = 0;
  const metrics = createPrometheusMetrics({ service: 'service', version: '1' });

  before(async () => {
    service = await startService({
      metrics,
      embedder: createWordHashEmbedder(16),
      clock: { now: () => new Date(Date.now() + aheadMs) },
      variables: {
        ADMIN_API_TOKEN: HEADERS['X-Admin-Token'],
        PROJECTORS: 'vector-indexer,webhook-sender',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
      },
    });
  });
  after(() => service.close());
  beforeEach(async () => {
    receiver = await startWebhookReceiver();
  });
  afterEach(async () => {
    for (const { id } of (await send('GET')).webhooks) await send('DELETE', `/${id}`);
    await receiver.close();
    aheadMs = 0;
  });

  const send = async (method: string, path = '', body?: object) => {
    const answer = await service.request(method, `/admin/webhooks${path}`, { headers: HEADERS, ...(body && { body }) });
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 201);
    return answer.body;
  };
  const store = async (body: object = {}): Promise<string> =>
    (await service.request('POST', '/memory', { body: { content: 'The ferry leaves at nine', ...body } })).body
      .memory_id;
  const rename = (id: string, content: string) => service.request('PATCH', `/memory/${id}`, { body: { content } });
  /** Of a receiver that verifies. */
  const create = async (body: object = {}): Promise<{ readonly id: string; readonly secret: string }> => {
    const { webhook, secret } = await send('POST', '', { url: receiver.url, ...body });
    receiver.expectSecrets(secret);
    return { id: webhook.id, secret };
  };
  const shown = async (id: string) => (await send('GET', `/${id}`)).webhook;
  const deliveries = async (id: string) => (await send('GET', `/${id}/deliveries`)).deliveries;
  const failure = (id: string) =>
    until('an attempt has failed', async () => (await deliveries(id)).find(({ error }: { error: unknown }) => error));
  const saved = (id: string) =>
    until('every event is delivered and saved', async () => (await shown(id)).lag_events === 0);
  const received = (count: number) => until(`${count} events`, () => receiver.received.length >= count);
  const subjects = () => receiver.received.map(({ event }) => event.subject);

  it('deliver each event as GET /events shows it, those of one memory in order', async () => {
    const { id } = await create();
    const memory = await store();
    for (const content of ['one', 'two', 'three']) await rename(memory, `The ferry leaves at ${content}`);
    await received(4);
    const [first] = receiver.received;
    const { events } = (await service.request('GET', `/events?after=${(first?.event.position ?? 1) - 1}`)).body;
    expect(receiver.received.map(({ event }) => event)).to.deep.equal(events);
    expect(receiver.received.map(({ event }) => event.version)).to.deep.equal([1, 2, 3, 4]);
    expect(first?.headers).to.include({ 'content-type': 'application/json', 'user-agent': 'Palimpsest' });
    expect(first?.id).to.equal(first?.event.id);
    expect(receiver.rejected).to.deep.equal([]);
    await saved(id);
    expect(await deliveries(id)).to.have.length(4);
  });

  it('deliver only the chosen types and tags', async () => {
    await create({ types: ['memory.stored', 'memory.deleted'], tags: ['harbour'] });
    await store({ tags: ['mountain'] });
    const chosen = await store({ tags: ['Harbour/North'] });
    await received(1); // a deletion erases the tags of earlier events
    await rename(chosen, 'The ferry leaves at ten');
    await service.request('DELETE', `/memory/${chosen}`);
    await received(2);
    expect(receiver.received.map(({ event }) => [event.type, event.subject])).to.deep.equal([
      ['memory.stored', chosen],
      ['memory.deleted', chosen],
    ]);
  });

  it('send events again from a position', async () => {
    const { id } = await create();
    await store();
    await store();
    await received(2);
    await saved(id);
    const [first] = receiver.received;
    await send('POST', `/${id}/replay`, { after: (first?.event.position ?? 1) - 1 });
    await received(4);
    expect(receiver.received.slice(2).map((one) => one.id)).to.have.members(
      receiver.received.slice(0, 2).map((one) => one.id),
    );
  });

  it('are signed with both secrets during the overlap of a rotation', async () => {
    const { id, secret } = await create();
    const { secret: rotated } = await send('POST', `/${id}/rotate-secret`, { overlap_hours: 1 });
    receiver.expectSecrets(secret, rotated);
    await store();
    await saved(id);
    const { secret: last } = await send('POST', `/${id}/rotate-secret`, { overlap_hours: 0 });
    receiver.expectSecrets(last);
    await store();
    await received(2);
    const signatures = receiver.received.map(({ headers }) => headers['webhook-signature']?.split(' ').length);
    expect(signatures).to.deep.equal([2, 1]); // a lane that does not know of a rotation yet is rejected, and repeats
  });

  it('do not follow a redirect, and are sent again', async () => {
    const { id } = await create();
    const elsewhere = await startWebhookReceiver();
    receiver.answer(() => (response) => response.writeHead(301, { location: elsewhere.url }).end());
    await store();
    expect(await failure(id)).to.include({ state: 'failing', http_status: 301, error: 'The receiver answered 301' });
    expect(await shown(id)).to.include({ last_error: 'The receiver answered 301' });
    receiver.answer(() => 200);
    await saved(id);
    expect((await deliveries(id))[0]).to.deep.include({ state: 'delivered', error: null, next_attempt_at: null });
    expect(elsewhere.received).to.deep.equal([]);
    await elsewhere.close();
  });

  it('go to other receivers while one hangs', async () => {
    const hanging = await startWebhookReceiver();
    hanging.answer(() => () => undefined);
    const { webhook } = await send('POST', '', { url: hanging.url });
    await create();
    for (let count = 0; count < 20; count += 1) await store();
    await received(20);
    expect(await failure(webhook.id)).to.include({ error: `The receiver did not answer within ${TIMEOUT_MS} ms` });
    await hanging.close();
  });

  it('take an answer of 10 MB for what its status says', async () => {
    const { id } = await create();
    receiver.answer(() => (response) => response.writeHead(200).end(Buffer.alloc(10_000_000)));
    await store();
    await saved(id);
    expect((await deliveries(id))[0]).to.include({ state: 'delivered', http_status: 200 });
  });

  it('do not go to a receiver whose certificate does not fit', async () => {
    const self = await startWebhookReceiver({ tls: SELF_SIGNED });
    const { webhook } = await send('POST', '', { url: self.url });
    await store();
    expect(await failure(webhook.id)).to.include({
      http_status: null,
      error: 'The receiver has no certificate that fits (DEPTH_ZERO_SELF_SIGNED_CERT)',
    });
    expect(self.received).to.deep.equal([]);
    await self.close();
  });

  it('end when the webhook is deleted during a delivery', async () => {
    const { id } = await create();
    receiver.answer(() => () => undefined);
    await store();
    await received(1);
    await send('DELETE', `/${id}`);
    receiver.answer(() => 200);
    await create();
    const next = await store();
    await until('the next webhook works', () => subjects().includes(next));
    expect(await service.engines.webhooks.deliveriesAfter(id, 0)).to.deep.equal([]);
  });

  it('end after 24 hours of failures, and continue when enabled', async () => {
    const watcher = await watch(service.url, { query: '?only=activity' });
    const { webhook } = await send('POST', '', { url: receiver.url }); // it would refuse timestamps of tomorrow
    const { id } = webhook;
    receiver.answer(() => 500);
    const memory = await store();
    await failure(id);
    aheadMs = DAY_MS;
    const disabled = await until('it is disabled', async () => {
      const webhook = await shown(id);
      return !webhook.enabled && webhook;
    });
    expect(disabled.disabled_reason).to.match(
      /^Event \S+ could not be delivered since \S+\. The receiver answered 500$/u,
    );
    const frame = await until('the frame', () => watcher.activity(WEBHOOK_DISABLED)[0]);
    expect(frame.data).to.deep.equal({ webhook_id: id, reason: disabled.disabled_reason });
    await watcher.close();

    aheadMs = 0;
    const count = receiver.received.length;
    receiver.answer(() => 200);
    await send('PATCH', `/${id}`, { enabled: true });
    await until('the event is delivered', () => subjects().slice(count).includes(memory));
  });

  it('end at once when the receiver answers 410, with an alert', async function () {
    const figures = recordFigures(() => [{ instance: 'service', read: () => metrics.text() }]);
    const { id } = await create();
    await figures.before();
    receiver.answer(() => 410);
    await store();
    await until('it is disabled', async () => !(await shown(id)).enabled);
    expect((await shown(id)).disabled_reason).to.equal('The receiver answered 410: it wants no more events');
    for (let count = 0; count < 2; count += 1) await figures.during();
    await expectAlerts(this, figures, ['PalimpsestWebhookDisabled']);
  });
});

describe('webhooks to addresses of the machine', () => {
  let service: Service;
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await startWebhookReceiver({ tls: SELF_SIGNED });
    service = await startService({ variables: { PROJECTORS: 'webhook-sender' } });
  });
  after(async () => {
    await service.close();
    await receiver.close();
  });

  it('are not sent, however the address is written', async () => {
    const HOSTS = [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '127.1',
      '0.0.0.0',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '169.254.169.254',
      '10.0.0.1',
    ];
    const urls = [...HOSTS.map((host) => `https://${host}:${receiver.port}/`), `http://localhost:${receiver.port}/`];
    const { webhooks } = service.engines;
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const ids = urls.map((_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`);
    for (const [index, id] of ids.entries())
      await webhooks.create({ id, url: urls[index] ?? '', description: '', types: [], tags: [], secret, position: 0 });
    await service.request('POST', '/memory', { body: { content: 'The ferry leaves at nine' } });
    const errors = await Promise.all(
      ids.map((id) => until('an attempt has failed', async () => (await webhooks.find(id))?.lastError)),
    );
    for (const [index, error] of errors.entries())
      expect(error, urls[index]).to.match(/which is not a public address|must begin with https:/u);
    expect(receiver.received).to.deep.equal([]);
  });
});
