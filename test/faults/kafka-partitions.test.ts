/** A topic that gets more partitions, and records at the offsets of lost ones. On a real broker. */
import { expect } from 'chai';
import { Partitioners } from 'kafkajs';
import { type NewEvent, toCloudEvent } from '../../shared/contract/events.js';
import { createKafkaClient } from '../../shared/engines/kafka/kafka-client.js';
import { knownEndHeader } from '../../shared/engines/kafka/known-end.js';
import { eventTopic } from '../../shared/engines/kafka/topics.js';
import { createSqliteJournal } from '../../shared/engines/sqlite/journal/sqlite-journal.js';
import { journalMigrations } from '../../shared/engines/sqlite/schema/journal.js';
import { silentLogger } from '../../shared/kernel/logger.js';
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

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

if (isServerWanted('kafka')) {
  describe('event partitions', function () {
    let names: KafkaNames;
    let temporary: TemporaryHost;
    let opened: KafkaStreamUnderTest;
    let ledger: KafkaLedger;
    let published: NewEvent[];
    beforeEach(async () => {
      [names, temporary] = [
        await openKafkaNames({ KAFKA_PARTITIONS: '2' }),
        await openTemporaryHost([journalMigrations]),
      ];
      await names.createTopics();
      opened = kafkaStreamOver(temporary.host, names);
      [ledger, published] = [createKafkaLedger(), []];
    });
    afterEach(async () => {
      await opened.stream.close();
      await names.remove();
      await temporary.remove();
    });

    const subscribe = (): Promise<Subscription> =>
      opened.stream.subscribe({ group: 'test', batchSize: 10, handle: async (events) => ledger.record(events) });
    async function publish(...events: NewEvent[]): Promise<void> {
      await opened.publish(events);
      published.push(...events);
    }
    const grow = async (count: number): Promise<void> => {
      const topic = eventTopic(names.config);
      await names.admin.createPartitions({ topicPartitions: [{ topic, count }] });
      // A partition has no leader for a moment.
      await until('the topic has the partitions', () =>
        sizes().then(
          ({ length }) => length === count,
          () => false,
        ),
      );
    };
    /** The number of records in each partition. */
    const sizes = async (): Promise<readonly number[]> =>
      [...(await names.admin.fetchTopicOffsets(eventTopic(names.config)))]
        .sort((one, other) => one.partition - other.partition)
        .map(({ high }) => Number(high));
    /** The relay and the projectors start again. */
    async function restart(): Promise<void> {
      await opened.stream.close();
      opened = kafkaStreamOver(temporary.host, names);
    }

    it('keep the order of each key when the topic grows', async () => {
      const subscription = await subscribe();
      await publish(...numbers(1, 40).map((number) => stored(number)));
      await subscription.settled();
      subscription.pause();
      await publish(...numbers(1, 40).map((number) => updated(number, 2)));
      await grow(6);
      await restart();
      await publish(...numbers(1, 40).map((number) => updated(number, 3)));
      const reopened = await subscribe();
      await reopened.settled();
      ledger.expectAll(published);
      expect((await sizes()).slice(2), 'records in the added partitions').to.deep.equal([0, 0, 0, 0]);
      await until('the position covers every event', () => reopened.position() === published.length);
      expect(await names.topicRecords.find(eventTopic(names.config))).to.deep.include({ generation: 1, partitions: 6 });
    });

    it('are all used after the topic was replaced by one with more of them', async () => {
      const subscription = await subscribe();
      await publish(...numbers(1, 40).map((number) => stored(number)));
      await subscription.settled();
      const topic = eventTopic(names.config);
      await names.admin.deleteTopics({ topics: [topic] });
      await names.admin.createTopics({ topics: [{ topic, numPartitions: 4 }], waitForLeaders: true });
      await restart();
      await publish(...numbers(1, 40).map((number) => updated(number, 2)));
      const reopened = await subscribe();
      await reopened.settled();
      ledger.expectAll(published);
      expect(await sizes(), 'records in each partition').to.not.include(0);
    });

    it('send a group to the journal at a record below the end that the relay knew', async () => {
      const subscription = await subscribe();
      await publish(stored(1));
      await subscription.settled();
      // Kafka lost the record of this event before the group read it, and the relay ended before it noticed.
      const [lost, later] = [updated(1, 2), updated(1, 3)];
      await opened.journalOnly([lost, later]);
      const [, , record] = await createSqliteJournal(temporary).read({ after: 0, limit: 10 });
      if (!record) throw new Error('The journal lacks the event');
      const kafka = createKafkaClient({ config: names.config, logger: silentLogger });
      const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
      await producer.connect();
      const value = JSON.stringify(toCloudEvent(record));
      const message = { key: record.partitionKey, value, headers: knownEndHeader(1_000n) };
      await producer.send({ topic: eventTopic(names.config), messages: [message] });
      await producer.disconnect();
      published.push(lost, later);
      await until('the later event is handled', () => ledger.ids().includes(later.id));
      ledger.expectAll(published);
      expect((await names.topicRecords.find(eventTopic(names.config)))?.generation).to.equal(2);
    });
  });
}
