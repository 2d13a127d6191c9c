/** Kafka is transport: what it loses, or no longer keeps, is read from the journal. On a real broker. */
import { expect } from 'chai';
import type { NewEvent } from '../../shared/contract/events.js';
import { journalMigrations } from '../../shared/journal/sqlite/migrations.js';
import { eventTopic } from '../../shared/stream/kafka/topics.js';
import type { Subscription } from '../../shared/stream/stream.js';
import { stored, updated } from '../support/events.js';
import { createKafkaLedger, type KafkaLedger } from '../support/kafka-ledger.js';
import { kafkaStreamOver, openKafkaNames, type KafkaNames, type KafkaStreamUnderTest } from '../support/kafka.js';
import { isServerWanted } from '../support/servers.js';
import { openTemporaryHost, type TemporaryHost } from '../support/sqlite.js';
import { until } from '../support/until.js';

if (isServerWanted('kafka')) {
  describe('a topic of events', () => {
    let names: KafkaNames;
    let temporary: TemporaryHost;
    let opened: KafkaStreamUnderTest;
    let ledger: KafkaLedger;
    let published: NewEvent[];
    beforeEach(async () => {
      [names, temporary] = [await openKafkaNames(), await openTemporaryHost([journalMigrations])];
      await names.createTopics();
      opened = kafkaStreamOver(temporary.host, names);
      [ledger, published] = [createKafkaLedger(), []];
    });
    afterEach(async () => {
      await opened.stream.close();
      await names.remove();
      await temporary.remove();
    });

    const subscribe = (before: () => Promise<void> = async () => undefined): Promise<Subscription> =>
      opened.stream.subscribe({
        group: 'test',
        batchSize: 10,
        handle: async (events) => {
          await before();
          ledger.record(events);
        },
      });
    async function publish(...events: NewEvent[]): Promise<void> {
      await opened.publish(events);
      published.push(...events);
    }
    const remove = (): Promise<void> => names.admin.deleteTopics({ topics: [eventTopic(names.config)] });
    const numbers = (from: number, to: number): number[] =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index);

    it('that is deleted and created again loses nothing that a running subscription had not handled', async () => {
      let hold: Promise<void> | null = null;
      const subscription = await subscribe(async () => hold ?? undefined);
      await publish(...numbers(1, 20).map((number) => stored(number)));
      await subscription.settled();
      let release = (): void => undefined;
      hold = new Promise((resolve) => (release = resolve));
      await publish(...numbers(1, 20).map((number) => updated(number, 2)));
      await remove();
      await names.createTopics();
      await publish(
        ...numbers(1, 20).map((number) => updated(number, 3)),
        ...numbers(21, 60).map((number) => stored(number)),
      );
      release();
      await until('everything was handled', () => published.every(({ id }) => ledger.ids().includes(id)));
      await subscription.settled();
      ledger.expectAll(published);
      expect(subscription.position()).to.equal(published.length);
    });

    it('that is deleted comes back with the next event, and a subscription goes on by itself', async () => {
      const subscription = await subscribe();
      await publish(stored(1), stored(2));
      await subscription.settled();
      await remove();
      await publish(stored(3));
      await until('the event after the deletion was handled', () => ledger.ids().includes(stored(3).id));
      await subscription.settled();
      ledger.expectAll(published);
    });

    it('that is deleted while nobody subscribes loses nothing', async () => {
      const first = await subscribe();
      await publish(stored(1));
      await first.settled();
      await first.close();
      await publish(stored(2));
      await remove();
      await publish(stored(3));
      const second = await subscribe();
      await second.settled();
      ledger.expectAll(published);
    });

    it('that no longer holds the first events gives them to a new group all the same', async () => {
      await publish(...numbers(1, 30).map((number) => stored(number)));
      await forget();
      await publish(stored(31));
      const subscription = await subscribe();
      await subscription.settled();
      ledger.expectAll(published);
      expect(ledger.ids()).to.have.lengthOf(31);
    });

    it('that no longer holds what comes next gives it to a group that was away for longer than Kafka keeps it', async () => {
      const first = await subscribe();
      await publish(...numbers(1, 10).map((number) => stored(number)));
      await first.settled();
      await first.close();
      await publish(...numbers(1, 10).map((number) => updated(number, 2)));
      await forget();
      const second = await subscribe();
      await second.settled();
      ledger.expectAll(published);
    });

    it('that forgets what a paused subscription has yet to handle gives it to it from the journal', async () => {
      const subscription = await subscribe();
      await publish(...numbers(1, 10).map((number) => stored(number)));
      await subscription.settled();
      subscription.pause();
      await publish(...numbers(1, 10).map((number) => updated(number, 2)));
      await forget();
      subscription.resume();
      await until('what Kafka forgot was handled', () => published.every(({ id }) => ledger.ids().includes(id)));
      ledger.expectAll(published);
    });

    /** As after the retention: nothing that was published so far is in Kafka any more. */
    async function forget(): Promise<void> {
      const topic = eventTopic(names.config);
      const ends = await names.admin.fetchTopicOffsets(topic);
      await names.admin.deleteTopicRecords({
        topic,
        partitions: ends.map(({ partition, high }) => ({ partition, offset: high })),
      });
    }
  });
}
