/** The promises of every table of webhooks. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { DELIVERY_RETENTION_MS, WEBHOOKS_LIMIT } from '../../../shared/contract/maintenance/webhooks.js';
import { formatTimestamp } from '../../../shared/kernel/clock.js';
import { ConflictError } from '../../../shared/kernel/errors.js';
import type { Delivery, NewWebhook, Webhook, Webhooks } from '../../../shared/ports/webhooks.js';
import { type OpenWebhooks, WEBHOOK_ADAPTERS } from '../../support/adapters/webhooks.js';
import { rejection } from '../../support/checks/rejection.js';

const AT = '2026-06-01T08:30:00.125000+00:00';
const LATER = '2026-06-01T08:31:00+00:00';
const FAILING = { failingSince: AT, lastError: 'The receiver answered 503' };

for (const adapter of WEBHOOK_ADAPTERS) {
  describe(`webhooks: ${adapter.name}`, () => {
    let opened: OpenWebhooks;
    let webhooks: Webhooks;
    beforeEach(async () => {
      opened = await adapter.open();
      ({ webhooks } = opened);
    });
    afterEach(() => opened.close());

    const positions = async (id: string, after = 0) =>
      (await webhooks.deliveriesAfter(id, after)).map(({ position }) => position);
    const save = async (
      { id, revision }: Pick<Webhook, 'id' | 'revision'>,
      progress: Partial<Pick<Webhook, 'position' | 'failingSince' | 'lastError'>> & {
        readonly from?: number;
        readonly deliveries?: readonly Delivery[];
      } = {},
    ) =>
      webhooks.saveProgress({
        id,
        revision,
        from: (await webhooks.find(id))?.position ?? 0,
        position: 0,
        failingSince: null,
        lastError: null,
        deliveries: [],
        ...progress,
      });

    it('keeps what a webhook is created with, and its times', async () => {
      const given = newWebhook({ types: ['memory.stored'], tags: ['a:b', 'ü'], position: 7, description: 'one' });
      const created = await webhooks.create(given);
      expect(created).to.deep.include(given);
      expect(created).to.deep.include({
        previousSecret: null,
        previousSecretUntil: null,
        disabledReason: null,
        failingSince: null,
        lastError: null,
      });
      expect(Math.abs(Date.now() - Date.parse(created.createdAt))).to.be.lessThan(60_000);
      expect(created.updatedAt).to.equal(created.createdAt);
      expect(await webhooks.find(given.id)).to.deep.equal(created);
    });

    it('lists the oldest webhook first', async () => {
      const ids: string[] = [];
      for (let count = 0; count < 4; count += 1) ids.push((await webhooks.create(newWebhook())).id);
      expect((await webhooks.list()).map(({ id }) => id)).to.deep.equal(ids);
    });

    it('refuses a webhook above the limit, also when many are created at the same time', async () => {
      for (let count = 0; count < WEBHOOKS_LIMIT - 1; count += 1) await webhooks.create(newWebhook());
      const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => webhooks.create(newWebhook())));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      const refused = await rejection(webhooks.create(newWebhook()));
      expect(refused).to.be.instanceOf(ConflictError).with.property('message').that.includes('delete one');
      expect(await webhooks.list()).to.have.length(WEBHOOKS_LIMIT);
    });

    it('changes only what is named, and the revision', async () => {
      const created = await webhooks.create(newWebhook({ tags: ['a'], description: 'one' }));
      const changed = await webhooks.update(created.id, { url: 'https://b.example/', types: ['memory.deleted'] });
      expect(changed).to.deep.equal({
        ...created,
        url: 'https://b.example/',
        types: ['memory.deleted'],
        revision: changed?.revision,
        updatedAt: changed?.updatedAt,
      });
      expect(changed?.revision).to.be.greaterThan(created.revision);
      const rotated = await webhooks.update(created.id, {
        secret: 'whsec_new',
        previousSecret: created.secret,
        previousSecretUntil: AT,
      });
      expect(rotated).to.deep.include({
        secret: 'whsec_new',
        previousSecret: created.secret,
        previousSecretUntil: AT,
        url: 'https://b.example/',
        tags: ['a'],
      });
      const without = await webhooks.update(created.id, { previousSecret: null, previousSecretUntil: null });
      expect(without).to.deep.include({ previousSecret: null, previousSecretUntil: null, secret: 'whsec_new' });
      expect(await webhooks.find(created.id)).to.deep.equal(without);
    });

    it('returns null or false for an unknown webhook', async () => {
      const id = randomUUID();
      expect(await webhooks.find(id)).to.equal(null);
      expect(await webhooks.update(id, { url: 'https://b.example/', position: 1 })).to.equal(null);
      expect(await webhooks.remove(id)).to.equal(false);
      expect(await webhooks.disable({ id, revision: 1 }, 'unreachable')).to.equal(false);
      expect(await save({ id, revision: 1 }, { deliveries: [delivered(1)] })).to.equal(false);
      expect(await positions(id)).to.deep.equal([]);
    });

    it('saves progress with deliveries, and replaces those of the same positions', async () => {
      const webhook = await webhooks.create(newWebhook());
      const other = await webhooks.create(newWebhook());
      await save(other, { deliveries: [delivered(2)] });
      const first = failing(3, { error: 'a \u0000 and \ud800', httpStatus: null });
      expect(await save(webhook, { position: 2, ...FAILING, deliveries: [delivered(1), first] })).to.equal(true);
      expect(await webhooks.find(webhook.id)).to.deep.equal({ ...webhook, position: 2, ...FAILING });
      expect(await webhooks.deliveriesAfter(webhook.id, 0)).to.deep.equal([
        delivered(1),
        { ...first, error: 'a \uFFFD and \uFFFD' },
      ]);
      const second = { ...delivered(3), attempts: 2, durationMs: 0.5 };
      expect(await save(webhook, { position: 3, deliveries: [second] })).to.equal(true);
      expect(await webhooks.find(webhook.id)).to.deep.equal({ ...webhook, position: 3 });
      expect(await webhooks.deliveriesAfter(webhook.id, 1)).to.deep.equal([second]);
    });

    it('saves nothing when the stored position is another one: the journal went back', async () => {
      const { id, revision } = await webhooks.create(newWebhook({ position: 4 }));
      const gone = { from: 7, position: 9, deliveries: [delivered(8), delivered(9)] };
      expect(await save({ id, revision }, gone)).to.equal(false);
      expect((await webhooks.find(id))?.position).to.equal(4);
      expect(await webhooks.deliveriesAfter(id, 0)).to.deep.equal([]);
      expect(await save({ id, revision }, { ...gone, from: 4 })).to.equal(true);
    });

    it('saves nothing for an older revision', async () => {
      const webhook = await webhooks.create(newWebhook());
      const changed = await webhooks.update(webhook.id, { tags: ['a'] });
      expect(await save(webhook, { position: 5, ...FAILING, deliveries: [delivered(5)] })).to.equal(false);
      expect(await webhooks.disable(webhook, 'unreachable')).to.equal(false);
      expect(await webhooks.find(webhook.id)).to.deep.equal(changed);
      expect(await positions(webhook.id)).to.deep.equal([]);
    });

    it('lists deliveries from the newest event on, by state and page by page', async () => {
      const webhook = await webhooks.create(newWebhook());
      await save(webhook, { deliveries: [delivered(4), failing(1), failing(3), delivered(2)] });
      const list = async (request: Omit<Parameters<Webhooks['deliveries']>[0], 'id'>) =>
        (await webhooks.deliveries({ id: webhook.id, ...request })).map(({ position }) => position);
      expect(await list({ limit: 3 })).to.deep.equal([4, 3, 2]);
      expect(await list({ limit: 3, before: 2 })).to.deep.equal([1]);
      expect(await list({ limit: 3, state: 'failing' })).to.deep.equal([3, 1]);
      expect(await list({ limit: 3, state: 'failing', before: 3 })).to.deep.equal([1]);
      expect(await list({ limit: 1, state: 'delivered', before: 4 })).to.deep.equal([2]);
    });

    it('forgets the error and the deliveries after the position of a replay', async () => {
      const webhook = await webhooks.create(newWebhook());
      await save(webhook, { position: 4, ...FAILING, deliveries: [delivered(1), delivered(4), failing(5)] });
      const replayed = await webhooks.update(webhook.id, { position: 1 });
      expect(replayed).to.deep.include({ position: 1, failingSince: null, lastError: null });
      expect(await positions(webhook.id)).to.deep.equal([1]);
    });

    it('disables a webhook once, and forgets what fails when it is enabled again', async () => {
      const webhook = await webhooks.create(newWebhook());
      await save(webhook, { position: 4, ...FAILING, deliveries: [delivered(4), failing(5), delivered(6)] });
      expect(await webhooks.disable(webhook, 'The receiver answered 503')).to.equal(true);
      expect(await webhooks.disable(webhook, 'again')).to.equal(false);
      const disabled = await webhooks.find(webhook.id);
      expect(disabled).to.deep.include({ disabledReason: 'The receiver answered 503', position: 4, ...FAILING });
      expect(await save(webhook, { position: 6 })).to.equal(false);
      expect(await positions(webhook.id)).to.deep.equal([4, 5, 6]);

      const enabled = await webhooks.update(webhook.id, { disabledReason: null });
      expect(enabled).to.deep.include({ disabledReason: null, position: 4, failingSince: null, lastError: null });
      expect(await positions(webhook.id)).to.deep.equal([4, 6]);
    });

    it('removes a webhook with its log, and no other', async () => {
      const [webhook, other] = [await webhooks.create(newWebhook()), await webhooks.create(newWebhook())];
      for (const each of [webhook, other]) await save(each, { deliveries: [delivered(1), failing(2)] });
      expect(await webhooks.remove(webhook.id)).to.equal(true);
      expect(await webhooks.remove(webhook.id)).to.equal(false);
      expect(await webhooks.list()).to.deep.equal([other]);
      expect(await positions(webhook.id)).to.deep.equal([]);
      expect(await positions(other.id)).to.deep.equal([1, 2]);
    });

    it('removes more deliveries than one statement removes', async () => {
      const webhook = await webhooks.create(newWebhook());
      await save(webhook, { deliveries: Array.from({ length: 1_001 }, (_, index) => delivered(index + 1)) });
      await webhooks.update(webhook.id, { position: 0 });
      expect(await positions(webhook.id)).to.deep.equal([]);
    });

    it('cleans the log of old deliveries up to the position of their webhook', async () => {
      const webhook = await webhooks.create(newWebhook());
      const old = formatTimestamp(new Date(Date.now() - DELIVERY_RETENTION_MS - 60_000));
      const recent = formatTimestamp(new Date(Date.now() - DELIVERY_RETENTION_MS + 60_000));
      const deliveries = [
        delivered(1, { lastAttemptAt: old }),
        failing(2, { lastAttemptAt: old }),
        delivered(3, { lastAttemptAt: recent }),
        delivered(5, { lastAttemptAt: old }),
      ];
      await save(webhook, { position: 4, deliveries });
      expect(await webhooks.cleanLog()).to.equal(2);
      expect(await positions(webhook.id)).to.deep.equal([3, 5]);
      expect(await webhooks.cleanLog()).to.equal(0);
    });
  });
}

function newWebhook(overrides: Partial<NewWebhook> = {}): NewWebhook {
  return {
    id: randomUUID(),
    url: 'https://receiver.example/',
    description: '',
    types: [],
    tags: [],
    secret: 'whsec_first',
    position: 0,
    ...overrides,
  };
}

function delivered(position: number, overrides: Partial<Delivery> = {}): Delivery {
  return {
    position,
    eventId: `0197281b-6f41-4a77-b0c2-${String(position).padStart(12, '0')}`,
    type: 'memory.stored',
    subject: 'subject',
    state: 'delivered',
    attempts: 1,
    httpStatus: 204,
    error: null,
    durationMs: 12.5,
    firstAttemptAt: AT,
    lastAttemptAt: LATER,
    nextAttemptAt: null,
    ...overrides,
  };
}

function failing(position: number, overrides: Partial<Delivery> = {}): Delivery {
  const state = {
    state: 'failing',
    httpStatus: 503,
    error: 'The receiver answered 503',
    nextAttemptAt: LATER,
  } as const;
  return { ...delivered(position), ...state, ...overrides };
}
