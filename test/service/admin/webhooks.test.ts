/** The routes of webhooks. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { WEBHOOK_URL_LIMIT, WEBHOOKS_LIMIT } from '../../../shared/contract/maintenance/webhooks.js';
import { type Service, startService } from '../../support/processes/service.js';

const ADMIN = 'admin-token';
const HEADERS = { 'X-Admin-Token': ADMIN };
const URL_GIVEN = 'https://receiver.example/events?key=of-the-receiver';
const AT = '2026-06-01T08:30:00+00:00';

describe('webhooks', () => {
  let service: Service;
  before(async () => {
    service = await startService({ variables: { ADMIN_API_TOKEN: ADMIN } });
    for (const content of ['one', 'two', 'three'])
      await service.request('POST', '/memory', { body: { content: `Memory ${content}` } });
  });
  after(() => service.close());
  afterEach(async () => {
    for (const { id } of await service.engines.webhooks.list()) await service.engines.webhooks.remove(id);
  });

  const send = (method: string, path = '', body?: object) =>
    service.request(method, `/admin/webhooks${path}`, { headers: HEADERS, ...(body && { body }) });
  const create = async (body: object = {}) => (await send('POST', '', { url: URL_GIVEN, ...body })).body;
  /** Nothing is sent to it. */
  const createDisabled = async (body: object = {}) => {
    const { webhook } = await create(body);
    return (await send('PATCH', `/${webhook.id}`, { enabled: false })).body.webhook;
  };
  const head = () => service.engines.journal.head();
  const delivery = (position: number) => ({
    position,
    eventId: randomUUID(),
    type: 'memory.stored',
    subject: randomUUID(),
    state: position % 2 === 0 ? ('failing' as const) : ('delivered' as const),
    attempts: 1,
    httpStatus: 503,
    error: 'The receiver answered 503',
    durationMs: 4,
    firstAttemptAt: AT,
    lastAttemptAt: AT,
    nextAttemptAt: position % 2 === 0 ? AT : null,
  });

  it('are for administrators only', async () => {
    const path = `/admin/webhooks/${randomUUID()}`;
    const routes = [
      ...['GET', 'POST'].map((method) => [method, '/admin/webhooks'] as const),
      ...['GET', 'PATCH', 'DELETE'].map((method) => [method, path] as const),
      ...[['POST', `${path}/rotate-secret`] as const, ['POST', `${path}/replay`] as const],
      ['GET', `${path}/deliveries`] as const,
    ];
    for (const [method, route] of routes)
      expect((await service.request(method, route)).status, `${method} ${route}`).to.equal(401);
  });

  it('begin at the head of the journal, and show the secret once', async () => {
    const { status, body } = await send('POST', '', { url: URL_GIVEN, description: 'search', tags: [' a:b ', 'a:b'] });
    expect(status).to.equal(201);
    expect(body.webhook).to.deep.include({
      url: URL_GIVEN,
      description: 'search',
      types: [],
      tags: ['a:b'],
      enabled: true,
      disabled_reason: null,
      position: await head(),
      lag_events: 0,
    });
    expect(body.secret).to.match(/^whsec_/u);
    expect(Buffer.from(body.secret.slice('whsec_'.length), 'base64').length).to.be.within(24, 32);

    const one = await send('GET', `/${body.webhook.id}`);
    expect(one.body).to.deep.equal({ status: 'success', webhook: body.webhook });
    const all = await send('GET');
    expect(all.body).to.deep.equal({ status: 'success', webhooks: [body.webhook], count: 1 });
  });

  it('begin after a given position', async () => {
    const { webhook } = await create({ after: 1 });
    expect(webhook).to.include({ position: 1, lag_events: (await head()) - 1 });
  });

  for (const url of ['https://127.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/', 'https://0x7f000001/'])
    it(`refuse ${url}, which is no public address`, async () => {
      const { webhook } = await create();
      for (const [method, path] of [['POST', ''] as const, ['PATCH', `/${webhook.id}`] as const]) {
        const { status, body } = await send(method, path, { url });
        expect({ status, field: body.field }, method).to.deep.equal({ status: 400, field: 'url' });
        expect(body.message).to.include('not a public address').and.to.include('WEBHOOK_ALLOWED_NETWORKS');
      }
    });

  for (const [fault, url] of [
    ['no host', 'https://?of-the-caller'],
    ['another scheme', 'ftp://receiver.example/'],
    ['plain http', 'http://receiver.example/'],
    ['a user', 'https://user@receiver.example/'],
    ['a password', 'https://:password@receiver.example/'],
    ['a fragment', 'https://receiver.example/#'],
    ['too many encoded characters', `https://receiver.example/${'ü'.repeat(WEBHOOK_URL_LIMIT / 2)}`],
  ] as const)
    it(`refuse a url with ${fault}, without quoting it`, async () => {
      const { webhook } = await create();
      for (const [method, path] of [['POST', ''] as const, ['PATCH', `/${webhook.id}`] as const]) {
        const { status, body } = await send(method, path, { url });
        expect([status, body.message]).to.satisfy(
          ([code, message]: [number, string]) =>
            code === 400 && message.startsWith("'url' must ") && !message.includes(url),
          `${method}: ${status} ${body.message}`,
        );
      }
      expect((await send('GET')).body.webhooks).to.deep.equal([webhook]);
    });

  for (const [fault, field, given] of [
    ['an empty url', 'url', { url: '' }],
    ['no url', 'url', {}],
    ['an unknown type', 'types', { url: URL_GIVEN, types: ['memory.read'] }],
    ['a tag of too many levels', 'tags', { url: URL_GIVEN, tags: ['a:'.repeat(60)] }],
    ['too many tags', 'tags', { url: URL_GIVEN, tags: Array.from({ length: 21 }, (_, index) => `tag-${index}`) }],
    ['a description that is too long', 'description', { url: URL_GIVEN, description: 'a'.repeat(501) }],
    ['a negative position', 'after', { url: URL_GIVEN, after: -1 }],
    ['a position beyond the head of the journal', 'after', { url: URL_GIVEN, after: 1_000_000 }],
    ['an unknown field', 'other', { url: URL_GIVEN, other: 1 }],
  ] as const)
    it(`refuse ${fault} with the name of the field`, async () => {
      const { status, body } = await send('POST', '', given);
      expect([status, body.message]).to.satisfy(
        ([code, message]: [number, string]) => code === 400 && message.includes(`'${field}'`),
        `${status} ${body.message}`,
      );
      expect((await send('GET')).body.count).to.equal(0);
    });

  it('change in what is named, and end at a DELETE', async () => {
    const { webhook } = await create({ tags: ['a'], description: 'search' });
    const { status, body } = await send('PATCH', `/${webhook.id}`, { types: ['memory.deleted'], description: '' });
    expect(status).to.equal(200);
    const { updated_at } = body.webhook;
    expect(body.webhook).to.deep.equal({ ...webhook, types: ['memory.deleted'], description: '', updated_at });
    expect((await send('PATCH', `/${webhook.id}`, {})).status).to.equal(400);

    expect((await send('DELETE', `/${webhook.id}`)).body).to.deep.equal({ status: 'success', id: webhook.id });
    expect((await send('GET')).body.count).to.equal(0);
  });

  it('are disabled and enabled by a PATCH', async () => {
    const { webhook } = await create();
    const disabled = await send('PATCH', `/${webhook.id}`, { enabled: false });
    expect(disabled.body.webhook).to.include({ enabled: false, disabled_reason: 'Disabled by an administrator' });
    const enabled = await send('PATCH', `/${webhook.id}`, { enabled: true });
    expect(enabled.body.webhook).to.include({ enabled: true, disabled_reason: null });
  });

  it('answer 404 for an unknown id and 400 for an id that is no UUID', async () => {
    const requests = [
      ['GET', ''],
      ['PATCH', '', { description: 'search' }],
      ['DELETE', ''],
      ['POST', '/rotate-secret', {}],
      ['POST', '/replay', { after: 0 }],
      ['GET', '/deliveries'],
    ] as const;
    for (const [method, path, sent] of requests) {
      const unknown = await send(method, `/${randomUUID()}${path}`, sent);
      const message = 'Webhook not found: GET /admin/webhooks lists the webhooks';
      expect([unknown.status, unknown.body.message], `${method} ${path}`).to.deep.equal([404, message]);
      const wrong = await send(method, `/last${path}`, sent);
      expect([wrong.status, wrong.body.message]).to.deep.equal([400, 'webhook_id must be a valid UUID']);
    }
  });

  it('answer 409 above the limit of webhooks', async () => {
    for (let count = 0; count < WEBHOOKS_LIMIT; count += 1)
      expect((await send('POST', '', { url: URL_GIVEN })).status).to.equal(201);
    const { status, body } = await send('POST', '', { url: URL_GIVEN });
    expect(status).to.equal(409);
    expect(body.message).to.include(`There are ${WEBHOOKS_LIMIT} webhooks`).and.include('delete one');
  });

  it('get a new secret while the previous one signs for some hours, or for none', async () => {
    const { webhook, secret: first } = await create();
    const stored = () => service.engines.webhooks.find(webhook.id);
    const rotated = (await send('POST', `/${webhook.id}/rotate-secret`)).body;
    expect(rotated.secret)
      .to.match(/^whsec_/u)
      .and.not.equal(first);
    expect(await stored()).to.include({ secret: rotated.secret, previousSecret: first });
    const hours = (Date.parse(rotated.webhook.previous_secret_until) - Date.now()) / 3_600_000;
    expect(hours).to.be.within(23.9, 24);

    const { body } = await send('POST', `/${webhook.id}/rotate-secret`, { overlap_hours: 0 });
    expect(body.webhook.previous_secret_until).to.equal(null);
    expect(await stored()).to.include({ secret: body.secret, previousSecret: null });
    const wrong = await send('POST', `/${webhook.id}/rotate-secret`, { overlap_hours: 169 });
    expect([wrong.status, wrong.body.message.includes("'overlap_hours'")]).to.deep.equal([400, true]);
  });

  it('replay from a position of the journal', async () => {
    const webhook = await createDisabled();
    const { status, body } = await send('POST', `/${webhook.id}/replay`, { after: 1 });
    expect([status, body.webhook.position, body.webhook.lag_events]).to.deep.equal([200, 1, (await head()) - 1]);
    const beyond = await send('POST', `/${webhook.id}/replay`, { after: (await head()) + 1 });
    expect([beyond.status, beyond.body.message.startsWith("'after' is ")]).to.deep.equal([400, true]);
    expect((await send('GET', `/${webhook.id}`)).body.webhook.position).to.equal(1);
  });

  it('show their deliveries page by page, and by state', async () => {
    const webhook = await createDisabled({ after: 0 });
    const { id, revision = 0 } = (await service.engines.webhooks.find(webhook.id)) ?? {};
    const progress = {
      id: id ?? '',
      revision,
      from: 0,
      position: 1,
      failingSince: AT,
      lastError: 'The receiver answered 503',
    };
    const deliveries = [1, 2, 3, 4].map(delivery);
    expect(await service.engines.webhooks.saveProgress({ ...progress, deliveries })).to.equal(true);
    const { body } = await send('GET', `/${id}`);
    expect(body.webhook).to.include({ position: 1, failing_since: AT, last_error: 'The receiver answered 503' });

    const log = async (query: string) => (await send('GET', `/${id}/deliveries?${query}`)).body;
    const positions = (page: { readonly deliveries: readonly { readonly position: number }[] }) =>
      page.deliveries.map(({ position }) => position);
    const first = await log('limit=3');
    expect([positions(first), first.next]).to.deep.equal([[4, 3, 2], 2]);
    const last = await log('limit=3&before=2');
    expect([positions(last), last.next, last.count]).to.deep.equal([[1], null, 1]);
    expect(positions(await log('state=failing'))).to.deep.equal([4, 2]);
    expect(positions(await log('limit=0'))).to.deep.equal([4]);
    expect(first.deliveries[0]).to.deep.include({
      event_id: deliveries[3]?.eventId,
      http_status: 503,
      state: 'failing',
    });
    for (const [query, field] of [['state=lost', 'state'] as const, ['before=0', 'before'] as const]) {
      const { status, body: refused } = await send('GET', `/${id}/deliveries?${query}`);
      expect([status, refused.message.startsWith(`'${field}' must be`)], query).to.deep.equal([400, true]);
    }
  });
});
