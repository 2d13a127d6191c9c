/**
 * The promises of every stream: it delivers all events from the beginning, at least once, in order, and skips no
 * unhandled event.
 */
import { expect } from 'chai';
import type { Activity, RecordedEvent } from '../../../shared/contract/events.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import type { Subscription } from '../../../shared/ports/stream.js';
import { STREAM_ADAPTERS } from '../../support/adapters/streams.js';
import { rejection } from '../../support/checks/rejection.js';
import { numberedId, stored, updated } from '../../support/fixtures/events.js';

/** A promise, and the function that resolves it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

const activity = (id: string): Activity => ({ kind: 'recalled', ids: [id], at: '2024-01-01T10:00:00.000Z' });

for (const adapter of STREAM_ADAPTERS) {
  describe(`stream: ${adapter.name}`, () => {
    let opened: Awaited<ReturnType<typeof adapter.open>>;
    beforeEach(async () => {
      opened = await adapter.open();
    });
    afterEach(() => opened.close());

    /** Subscribes and collects the events. `before` runs before each batch and may reject it. */
    async function collect({
      group = 'test',
      batchSize = 10,
      before = async () => undefined,
    }: {
      readonly group?: string;
      readonly batchSize?: number;
      readonly before?: (events: readonly RecordedEvent[]) => Promise<void>;
    } = {}): Promise<{
      readonly subscription: Subscription;
      readonly batches: (readonly RecordedEvent[])[];
      readonly names: () => string[];
    }> {
      const batches: (readonly RecordedEvent[])[] = [];
      const handle = async (events: readonly RecordedEvent[]): Promise<void> => {
        await before(events);
        batches.push(events);
      };
      const subscription = await opened.stream.subscribe({ group, batchSize, handle });
      return { subscription, batches, names: () => batches.flat().map(({ id }) => id) };
    }
    const ids = (...numbers: number[]): string[] => numbers.map((number) => stored(number).id);
    /** Expects each event once; in this order where the stream orders events of all keys. */
    function expectOnce(names: readonly string[], expected: readonly string[]): void {
      if (adapter.features.isTotallyOrdered) expect(names).to.deep.equal(expected);
      else expect(names).to.have.members(expected);
    }

    it('delivers earlier and later events, from the very first one', async () => {
      await opened.publish([stored(1), stored(2)]);
      const { subscription, batches, names } = await collect();
      await subscription.settled();
      await opened.publish([stored(3)]);
      await subscription.settled();
      expectOnce(names(), ids(1, 2, 3));
      expect(batches.flat().find(({ id }) => id === stored(1).id)).to.deep.include(stored(1));
      expect(subscription.position()).to.equal(Math.max(...batches.flat().map(({ position }) => position)));
    });

    it('delivers batches of at most the requested size, in order for each key', async () => {
      await opened.publish(
        [1, 2, 3, 4, 5].flatMap((number) => [stored(number), updated(number, 2), updated(number, 3)]),
      );
      const { subscription, batches } = await collect({ batchSize: 4 });
      await subscription.settled();
      for (const batch of batches) expect(batch.length).to.be.within(1, 4);
      for (const number of [1, 2, 3, 4, 5]) {
        const versions = batches
          .flat()
          .filter(({ partitionKey }) => partitionKey === numberedId(number))
          .map(({ version }) => version);
        expect(versions).to.deep.equal([1, 2, 3]);
      }
    });

    it('delivers one batch at a time', async () => {
      let running = 0;
      const before = async (): Promise<void> => {
        running += 1;
        expect(running).to.equal(1);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      };
      const { subscription, names } = await collect({ batchSize: 1, before });
      await subscription.settled();
      for (const number of [1, 2, 3, 4]) await opened.publish([stored(number)]);
      await subscription.settled();
      expectOnce(names(), ids(1, 2, 3, 4));
    });

    it('continues behind its checkpoint after a restart', async () => {
      await opened.publish([stored(1), stored(2)]);
      const first = await collect();
      await first.subscription.settled();
      opened = { ...opened, ...(await opened.restart()) };
      await opened.publish([stored(3)]);
      const second = await collect();
      await second.subscription.settled();
      expect(second.names()).to.deep.equal(ids(3));
    });

    it('delivers a rejected batch again, whole, and skips nothing', async () => {
      let failures = 0;
      const events = [stored(1), updated(1, 2), updated(1, 3)];
      const attempts: string[][] = [];
      const before = async (batch: readonly RecordedEvent[]): Promise<void> => {
        attempts.push(batch.map(({ id }) => id));
        if (failures < 2 && batch.some(({ version }) => version === 2)) {
          failures += 1;
          throw new DependencyError('vectors', 'not now', { retryAfterSeconds: 0.01 });
        }
      };
      await opened.publish(events);
      const { subscription, names } = await collect({ batchSize: 2, before });
      await subscription.settled();
      expect(failures).to.equal(2);
      expect(names()).to.deep.equal(events.map(({ id }) => id));
      const firstIds = attempts.slice(0, 3).map(([first]) => first);
      expect(firstIds).to.deep.equal(ids(1, 1, 1));
    });

    it('delivers to one group while another waits', async () => {
      const { opened: released, open: release } = gate();
      const slow = await collect({ group: 'slow', before: () => released });
      const fast = await collect({ group: 'fast' });
      await Promise.all([slow.subscription.settled(), fast.subscription.settled()]);
      await opened.publish([stored(1)]);
      await fast.subscription.settled();
      expect([fast.names(), slow.names()]).to.deep.equal([ids(1), []]);
      release();
      await slow.subscription.settled();
      expect(slow.names()).to.deep.equal(ids(1));
    });

    it('shares the work between two subscriptions of one group', async () => {
      const [one, other] = [await collect({ batchSize: 1 }), await collect({ batchSize: 1 })];
      await Promise.all([one.subscription.settled(), other.subscription.settled()]);
      await opened.publish([1, 2, 3, 4, 5, 6].map((number) => stored(number)));
      await Promise.all([one.subscription.settled(), other.subscription.settled()]);
      expect([...one.names(), ...other.names()]).to.have.members(ids(1, 2, 3, 4, 5, 6));
    });

    it('delivers nothing while paused, and everything once resumed', async () => {
      const { subscription, names } = await collect();
      await subscription.settled();
      subscription.pause();
      const other = await collect({ group: 'other' });
      await opened.publish([stored(1)]);
      await other.subscription.settled();
      expect(names()).to.deep.equal([]);
      subscription.resume();
      await subscription.settled();
      expect(names()).to.deep.equal(ids(1));
    });

    it('finishes the running batch when it is closed, and starts no other', async () => {
      const begun = gate();
      const { opened: released, open: release } = gate();
      const before = (): Promise<void> => {
        begun.open();
        return released;
      };
      const { subscription, names } = await collect({ batchSize: 1, before });
      await opened.publish([stored(1), updated(1, 2)]);
      await begun.opened;
      const settled = rejection(subscription.settled());
      const closed = subscription.close();
      release();
      await closed;
      expect(names()).to.deep.equal(ids(1));
      expect(await settled).to.be.instanceOf(DependencyError);
    });

    if (adapter.features.findsUnpublished) {
      it('delivers a journalled event that was never appended to the stream', async () => {
        const delivered = gate();
        const { subscription, names } = await collect({ before: async () => delivered.open() });
        await opened.journalOnly([stored(1)]);
        await delivered.opened;
        await subscription.settled();
        expect(names()).to.deep.equal(ids(1));
      });
    }

    it('delivers activity to every listening group, and drops it without one', async () => {
      opened.stream.notify(activity('lost'));
      const received: Record<string, string[]> = { one: [], other: [] };
      const listen = (group: 'one' | 'other'): Promise<Subscription> =>
        opened.stream.listen(group, async (activities) => {
          received[group]?.push(...activities.flatMap((one) => (one.kind === 'recalled' ? one.ids : [])));
          if (group === 'other') throw new Error('broken listener');
        });
      const listeners = [await listen('one'), await listen('other')];
      opened.stream.notify(activity('a'));
      opened.stream.notify(activity('b'));
      await Promise.all(listeners.map((listener) => listener.settled()));
      expect(received).to.deep.equal({ one: ['a', 'b'], other: ['a', 'b'] });
    });
  });
}
