/** A consumer group that reads the journal, because Kafka lacks its events, gets only events that the graph has. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { eventTopic } from '../../../shared/engines/kafka/topics.js';
import { journalMigrations } from '../../../shared/engines/sqlite/schema/journal.js';
import { openTemporaryHost, type TemporaryHost } from '../../support/adapters/sqlite.js';
import { until } from '../../support/checks/until.js';
import { stored, updated } from '../../support/fixtures/events.js';
import { type KafkaNames, kafkaStreamOver, openKafkaNames } from '../../support/servers/kafka.js';
import { isServerWanted } from '../../support/servers/servers.js';

const KEYS_OF_ALL_PARTITIONS = Array.from({ length: 40 }, (_, index) => index + 2);

if (isServerWanted('kafka')) {
  describe('Kafka catch-up', () => {
    let names: KafkaNames;
    let temporary: TemporaryHost;
    beforeEach(async () => {
      [names, temporary] = [await openKafkaNames(), await openTemporaryHost([journalMigrations])];
      await names.createTopics();
    });
    afterEach(async () => {
      await names.remove();
      await temporary.remove();
    });

    it('leaves events to the relay that the graph lacks', async () => {
      const { stream, journalOnly, pending } = kafkaStreamOver(temporary.host, names);
      const [first, late, other] = await journalOnly([stored(1), updated(1, 2), stored(2)]);
      if (!first || !late || !other) throw new Error('The journal lacks events');
      pending.add(late.position);
      const handled: RecordedEvent[] = [];
      const subscription = await stream.subscribe({
        group: 'new',
        batchSize: 10,
        handle: async (events) => void handled.push(...events),
      });
      await subscription.settled();
      expect(handled).to.deep.equal([first, other]);
      expect(subscription.position(), 'no position at or above the event').to.be.below(late.position);
      pending.delete(late.position);
      await stream.append([late]);
      await until('the event arrives', () => handled.length === 3);
      expect(handled[2]).to.deep.equal(late);
      await stream.close();
    });

    it('reads an event that progress had passed, after Kafka deleted records', async () => {
      const { stream, journalOnly, publish, pending } = kafkaStreamOver(temporary.host, names);
      const handled = new Set<number>();
      const handle = async (events: readonly RecordedEvent[]): Promise<void> =>
        events.forEach(({ position }) => handled.add(position));
      const [late] = await journalOnly([stored(1)]);
      if (!late) throw new Error('The journal lacks the event');
      pending.add(late.position);
      const first = await stream.subscribe({ group: 'group', batchSize: 10, handle });
      const others = await publish(KEYS_OF_ALL_PARTITIONS.map((key) => stored(key)));
      await until('progress passes the event', () => first.position() === others.at(-1)?.position);
      await publish(KEYS_OF_ALL_PARTITIONS.map((key) => updated(key, 2))); // their checkpoints are written now
      await first.settled();
      await first.close();

      pending.delete(late.position);
      await stream.append([late]);
      const topic = eventTopic(names.config);
      const ends = await names.admin.fetchTopicOffsets(topic);
      await names.admin.deleteTopicRecords({
        topic,
        partitions: ends.map(({ partition, high }) => ({ partition, offset: high })),
      });
      const second = await stream.subscribe({ group: 'group', batchSize: 10, handle });
      await second.settled();
      expect(handled).to.include(late.position);
      await stream.close();
    });
  });
}
