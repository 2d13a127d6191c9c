import { expect } from 'chai';
import type { Answer, PostEvent } from '../../../../../projectors/jobs/webhook-sender/post-event.js';
import { type Lane, runLane } from '../../../../../projectors/jobs/webhook-sender/run-lane.js';
import type { CloudEvent, RecordedEvent } from '../../../../../shared/contract/events.js';
import { silentLogger } from '../../../../../shared/kernel/logger.js';
import type { Delivery, Webhook, WebhookProgress } from '../../../../../shared/ports/webhooks.js';
import { until } from '../../../../support/checks/until.js';
import { deleted, erased, stored } from '../../../../support/fixtures/projector-events.js';

const WEBHOOK: Webhook = {
  id: '00000000-0000-4000-8000-00000000000a',
  url: 'https://receiver.test/',
  description: '',
  types: [],
  tags: [],
  secret: `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
  previousSecret: null,
  previousSecretUntil: null,
  disabledReason: null,
  position: 0,
  revision: 1,
  failingSince: null,
  lastError: null,
  createdAt: '2024-06-01T00:00:00+00:00',
  updatedAt: '2024-06-01T00:00:00+00:00',
};
const answered = (status: number): Answer => ({ kind: 'answered', status, retryAfterSeconds: null });

/** One lane over a journal of these events. `now` moves only when the test sets it. */
function open({
  events,
  webhook = WEBHOOK,
  known = [],
  answer = () => answered(204),
}: {
  readonly events: readonly RecordedEvent[];
  readonly webhook?: Webhook;
  readonly known?: readonly Delivery[];
  readonly answer?: (event: CloudEvent) => Answer | Promise<Answer>;
}) {
  const journal = events.map((event, index) => ({ ...event, position: index + 1 }));
  const sent: CloudEvent[] = [];
  const saved: WebhookProgress[] = [];
  const disabled: string[] = [];
  const reported: string[] = [];
  const world = { now: Date.parse('2024-06-01T00:00:00Z'), isCurrent: true, isClosed: false };
  const post: PostEvent['post'] = ({ body }, signal) => {
    const event = JSON.parse(body) as CloudEvent;
    sent.push(event);
    const cut = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('cut')), { once: true }),
    );
    return Promise.race([answer(event), cut]);
  };
  const lane: Lane = runLane(webhook, {
    journal: {
      read: async ({ after, through = Infinity, limit, types }) =>
        journal
          .filter(({ position, type }) => position > after && position <= through && (types?.includes(type) ?? true))
          .slice(0, limit),
    },
    webhooks: {
      deliveriesAfter: async () => known,
      saveProgress: async (progress) => world.isCurrent && saved.push(progress) > 0,
      disable: async (_, reason) => world.isCurrent && disabled.push(reason) > 0,
    },
    createPostEvent: () => ({ post, close: () => void (world.isClosed = true) }),
    onDisabled: (_, reason) => void reported.push(reason),
    giveUpMs: 24 * 3_600_000,
    metrics: { count: () => undefined },
    clock: { now: () => new Date(world.now) },
    logger: silentLogger,
  });
  lane.advance(journal.length);
  return { lane, journal, sent, saved, disabled, reported, world };
}

const positionsOf = (sent: readonly CloudEvent[]) => sent.map(({ position }) => position);

describe('runLane', () => {
  it('sends each event as a CloudEvent and saves the position', async () => {
    const { lane, sent, saved, world } = open({ events: [stored(1), stored(2), stored(3)] });
    await until('progress is saved', () => saved.at(-1)?.position === 3);
    lane.stop();
    await lane.ended;
    expect(positionsOf(sent)).to.deep.equal([1, 2, 3]);
    expect(sent[0]).to.deep.include({ specversion: '1.0', type: 'memory.stored' });
    expect(saved[0]).to.include({ id: WEBHOOK.id, revision: 1, failingSince: null });
    expect(saved.flatMap(({ deliveries }) => deliveries)).to.have.length(3);
    expect(world.isClosed).to.equal(true);
  });

  it('sends only the types and tags that the webhook asks for, and every deletion', async () => {
    const events = [
      stored(1, { tags: ['Project/Foo:Bar'] }),
      stored(2, { tags: ['projects'] }),
      stored(3, { tags: ['project'], version: 2 }),
      deleted(4, 2),
      erased(stored(5, { tags: ['project'] })),
    ];
    const webhook: Webhook = { ...WEBHOOK, tags: ['project'], types: ['memory.stored', 'memory.deleted'] };
    const { lane, sent, saved } = open({ events, webhook });
    await until('everything is read', () => saved.at(-1)?.position === 5);
    lane.stop();
    await lane.ended;
    expect(positionsOf(sent)).to.deep.equal([1, 4]);
  });

  it('reads an event again before its next attempt: erased content is not sent', async () => {
    let status = 500;
    const { lane, journal, sent, world } = open({ events: [stored(1)], answer: () => answered(status) });
    await until('the first attempt', () => sent.length === 1);
    status = 200;
    journal[0] = { ...erased(journal[0]!), position: 1 };
    world.now += 1_000;
    await until('the second attempt', () => sent.length === 2);
    lane.stop();
    await lane.ended;
    expect(sent.map((event) => 'data' in event)).to.deep.equal([true, false]);
  });

  it('disables the webhook at once when the receiver answers 410', async () => {
    const { lane, disabled, reported, saved } = open({ events: [stored(1), stored(2)], answer: () => answered(410) });
    await lane.ended;
    expect(disabled).to.deep.equal(['The receiver answered 410: it wants no more events']);
    expect(reported).to.deep.equal(disabled);
    expect(saved.at(-1)).to.include({ position: 0, lastError: 'The receiver answered 410' });
  });

  it('disables the webhook when one event has failed for 24 hours', async () => {
    const { lane, sent, disabled, world } = open({ events: [stored(1)], answer: () => answered(500) });
    await until('the first attempt', () => sent.length === 1);
    world.now += 24 * 3_600_000 - 1;
    await until('an attempt before the end', () => sent.length === 2);
    world.now += 3_600_001;
    await lane.ended;
    expect(sent).to.have.length(3);
    expect(disabled).to.have.length(1);
    expect(disabled[0]).to.match(
      /^Event \S+ could not be delivered since 2024-06-01T00:00:00\+00:00\. The receiver answered 500$/u,
    );
  });

  it('stops without a report when the webhook has changed', async () => {
    const { lane, world, sent, reported } = open({ events: [stored(1)], answer: () => answered(410) });
    world.isCurrent = false;
    await lane.ended;
    expect(sent).to.have.length(1);
    expect(reported).to.deep.equal([]);
  });

  it('cuts requests that do not end when it is stopped', async () => {
    const { lane, sent, saved } = open({
      events: [stored(1), stored(2)],
      answer: ({ position }) => (position === 1 ? new Promise<Answer>(() => undefined) : answered(200)),
    });
    await until('both are sent', () => sent.length === 2);
    lane.stop();
    await lane.ended;
    expect(saved.at(-1)).to.include({ position: 0 });
    expect(saved.flatMap(({ deliveries }) => deliveries.map(({ position }) => position))).to.deep.equal([2]);
  });
});
