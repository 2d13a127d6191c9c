/** A topic that refuses one event for itself takes all events of other keys. On a real broker. */
import { expect } from 'chai';
import kafkajs from 'kafkajs';
import { eventTopic } from '../../../shared/engines/kafka/topics.js';
import { journalMigrations } from '../../../shared/engines/sqlite/schema/journal.js';
import { reportOf } from '../../../shared/kernel/errors.js';
import { RefusedEventsError } from '../../../shared/ports/stream.js';
import { openTemporaryHost, type TemporaryHost } from '../../support/adapters/sqlite.js';
import { createKafkaLedger } from '../../support/checks/kafka-ledger.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { stored, updated } from '../../support/fixtures/events.js';
import { type KafkaNames, kafkaStreamOver, openKafkaNames } from '../../support/servers/kafka.js';
import { isServerWanted } from '../../support/servers/servers.js';

const LIMIT_BYTES = 20_000;
const LARGE = 'x'.repeat(2 * LIMIT_BYTES);

if (isServerWanted('kafka')) {
  describe('Kafka refusals', () => {
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

    async function limitMessages(bytes: number): Promise<void> {
      const configEntries = [{ name: 'max.message.bytes', value: String(bytes) }];
      const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: eventTopic(names.config), configEntries };
      await names.admin.alterConfigs({ validateOnly: false, resources: [resource] });
    }

    it('name the event, and later events of its key stay unsent', async () => {
      const { stream, journalOnly } = kafkaStreamOver(temporary.host, names);
      const ledger = createKafkaLedger();
      const handle = async (events: Parameters<typeof ledger.record>[0]) => ledger.record(events);
      await (await stream.subscribe({ group: 'test', batchSize: 10, handle })).settled();
      // Together more than the limit, so that the broker also refuses the request of the others.
      const others = Array.from({ length: 40 }, (_, index) => stored(10 + index, { content: 'y'.repeat(1_000) }));
      const accepted = [stored(1), ...others];
      const events = await journalOnly([...accepted, updated(1, 2, { content: LARGE }), updated(1, 3)]);
      const [large, behind] = events.slice(accepted.length);
      await limitMessages(LIMIT_BYTES);
      const error = await rejection(stream.append(events));
      expect(error).to.be.instanceOf(RefusedEventsError);
      const { refused, unsent } = error as RefusedEventsError;
      expect(refused.map(({ event }) => event)).to.deep.equal([large]);
      expect(refused.map((one) => reportOf(one.error))).to.deep.equal(['Kafka refuses the event: MESSAGE_TOO_LARGE']);
      expect([...unsent]).to.deep.equal([large?.position, behind?.position]);
      await until('the others arrive', () => new Set(ledger.ids()).size === accepted.length);
      ledger.expectAll(accepted);
      await stream.close();
    });
  });
}
