/** Kafka is transport: events that it loses, or no longer keeps, are read from the journal. On a real broker. */
import { expect } from 'chai';
import type { NewEvent } from '../../shared/contract/events.js';
import { eventTopic } from '../../shared/engines/kafka/topics.js';
import { journalMigrations } from '../../shared/engines/sqlite/schema/journal.js';
import type { Subscription } from '../../shared/ports/stream.js';
import { openTemporaryHost, type TemporaryHost } from '../support/adapters/sqlite.js';
import { createKafkaLedger, type KafkaLedger } from '../support/checks/kafka-ledger.js';
import { until } from '../support/checks/until.js';
import { stored, updated } from '../support/fixtures/events.js';
import {
  type KafkaNames,
  kafkaStreamOver,
  type KafkaStreamUnderTest,
  openKafkaNames,
} from '../support/servers/kafka.js';
import { isServerWanted } from '../support/servers/servers.js';

if (isServerWanted('kafka')) {
  describe('event topic', () => {
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

    it('loses no unhandled event when it is deleted and created again', async () => {
      let blocked: Promise<void> | null = null;
      const subscription = await subscribe(async () => blocked ?? undefined);
      await publish(...numbers(1, 20).map((number) => stored(number)));
      await subscription.settled();
      let release = (): void => undefined;
      blocked = new Promise((resolve) => (release = resolve));
      await publish(...numbers(1, 20).map((number) => updated(number, 2)));
      await remove();
      await names.createTopics();
      await publish(
        ...numbers(1, 20).map((number) => updated(number, 3)),
        ...numbers(21, 60).map((number) => stored(number)),
      );
      release();
      await until('every event is handled', () => published.every(({ id }) => ledger.ids().includes(id)));
      await subscription.settled();
      ledger.expectAll(published);
      expect(subscription.position()).to.equal(published.length);
    });

    it('is handled in the next generation although no record arrives', async () => {
      const topic = eventTopic(names.config);
      const subscription = await subscribe();
      await publish(stored(1), stored(2));
      await subscription.settled();
      const record = await names.topicRecords.find(topic);
      if (!record) throw new Error('The topic has no record');
      await names.topicRecords.renew(topic, record);
      await subscription.settled();
      ledger.expectAll(published);
    });

    it('is created again by the next event after its deletion', async () => {
      const subscription = await subscribe();
      await publish(stored(1), stored(2));
      await subscription.settled();
      await remove();
      await publish(stored(3));
      await until('the event after the deletion is handled', () => ledger.ids().includes(stored(3).id));
      await subscription.settled();
      ledger.expectAll(published);
    });

    it('loses no event when it is deleted while no subscription is open', async () => {
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

    it('delivers expired events from the journal to a new group', async () => {
      await publish(...numbers(1, 30).map((number) => stored(number)));
      await expire();
      await publish(stored(31));
      const subscription = await subscribe();
      await subscription.settled();
      ledger.expectAll(published);
      expect(ledger.ids()).to.have.lengthOf(31);
    });

    it('delivers expired events from the journal to a group that was closed', async () => {
      const first = await subscribe();
      await publish(...numbers(1, 10).map((number) => stored(number)));
      await first.settled();
      await first.close();
      await publish(...numbers(1, 10).map((number) => updated(number, 2)));
      await expire();
      const second = await subscribe();
      await second.settled();
      ledger.expectAll(published);
    });

    it('delivers events that expired during a pause from the journal', async () => {
      const subscription = await subscribe();
      await publish(...numbers(1, 10).map((number) => stored(number)));
      await subscription.settled();
      subscription.pause();
      await publish(...numbers(1, 10).map((number) => updated(number, 2)));
      await expire();
      subscription.resume();
      await until('the expired events are handled', () => published.every(({ id }) => ledger.ids().includes(id)));
      ledger.expectAll(published);
    });

    /** Deletes all records from Kafka, as the retention does. */
    async function expire(): Promise<void> {
      const topic = eventTopic(names.config);
      const ends = await names.admin.fetchTopicOffsets(topic);
      await names.admin.deleteTopicRecords({
        topic,
        partitions: ends.map(({ partition, high }) => ({ partition, offset: high })),
      });
    }
  });
}
