/** A consumer group that reads the journal, because Kafka lacks its events, gets only events that the graph has. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { journalMigrations } from '../../../shared/engines/sqlite/schema/journal.js';
import { openTemporaryHost, type TemporaryHost } from '../../support/adapters/sqlite.js';
import { until } from '../../support/checks/until.js';
import { stored, updated } from '../../support/fixtures/events.js';
import { type KafkaNames, kafkaStreamOver, openKafkaNames } from '../../support/servers/kafka.js';
import { isServerWanted } from '../../support/servers/servers.js';

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
  });
}
