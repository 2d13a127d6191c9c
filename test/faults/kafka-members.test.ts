/** Members of a group join, leave and wait, and no event is lost. On a real broker. */
import { expect } from 'chai';
import type { NewEvent, RecordedEvent } from '../../shared/contract/events.js';
import { createPartitionOf } from '../../shared/engines/kafka/partition-of.js';
import { journalMigrations } from '../../shared/engines/sqlite/schema/journal.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import type { Subscription } from '../../shared/ports/stream.js';
import { openTemporaryHost, type TemporaryHost } from '../support/adapters/sqlite.js';
import { createKafkaLedger, type KafkaLedger } from '../support/checks/kafka-ledger.js';
import { until } from '../support/checks/until.js';
import { numberedId, stored, updated } from '../support/fixtures/events.js';
import { seededRandom } from '../support/fixtures/random.js';
import {
  type KafkaNames,
  kafkaStreamOver,
  type KafkaStreamUnderTest,
  openKafkaNames,
} from '../support/servers/kafka.js';
import { isServerWanted } from '../support/servers/servers.js';

const PARTITIONS = 6;
const partitionOf = createPartitionOf(PARTITIONS);

if (isServerWanted('kafka')) {
  describe('consumer group members', () => {
    let names: KafkaNames;
    let temporary: TemporaryHost;
    let opened: KafkaStreamUnderTest;
    let ledger: KafkaLedger;
    beforeEach(async () => {
      [names, temporary] = [
        await openKafkaNames({ KAFKA_PARTITIONS: String(PARTITIONS) }),
        await openTemporaryHost([journalMigrations]),
      ];
      await names.createTopics();
      opened = kafkaStreamOver(temporary.host, names);
      ledger = createKafkaLedger();
    });
    afterEach(async () => {
      await opened.stream.close();
      await names.remove();
      await temporary.remove();
    });

    const join = (handle: (events: readonly RecordedEvent[]) => Promise<void>, batchSize = 5): Promise<Subscription> =>
      opened.stream.subscribe({ group: 'test', batchSize, handle });

    it('receive all events in order while members join and leave', async () => {
      const random = seededRandom(11);
      const shortDelay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, random.below(20)));
      const versions = new Map<number, number>();
      const published: NewEvent[] = [];
      const handleSlowly = async (events: readonly RecordedEvent[]): Promise<void> => {
        await shortDelay();
        ledger.record(events);
        await shortDelay();
      };
      const members = [await join(handleSlowly)];
      const joins = new Set([10, 25, 30]);
      const leaves = new Set([20, 28, 38]);
      for (let round = 1; round <= 45; round += 1) {
        const events = Array.from({ length: 1 + random.below(8) }, () => {
          const number = 1 + random.below(40);
          const version = (versions.get(number) ?? 0) + 1;
          versions.set(number, version);
          return version === 1 ? stored(number) : updated(number, version);
        });
        await opened.publish(events);
        published.push(...events);
        if (joins.has(round)) members.push(await join(handleSlowly));
        if (leaves.has(round)) await members.shift()?.close();
        await shortDelay();
      }
      await members[0]?.settled();
      ledger.expectAll(published);
      expect(members).to.have.lengthOf(1);
    });

    it('pause only the partition of a failing batch', async () => {
      const [failing, ...others] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
      const failingPartition = partitionOf(numberedId(failing ?? 0));
      let isBroken = true;
      let failures = 0;
      const subscription = await join(async (events) => {
        if (isBroken && events.some(({ partitionKey }) => partitionOf(partitionKey) === failingPartition)) {
          failures += 1;
          throw new DependencyError('vectors', 'not now', { retryAfterSeconds: 0.05 });
        }
        ledger.record(events);
      });
      await subscription.settled();
      const published = [failing ?? 0, ...others].map((number) => stored(number));
      await opened.publish(published);
      const unaffected = published.filter(({ partitionKey }) => partitionOf(partitionKey) !== failingPartition);
      expect(unaffected).to.have.length.greaterThan(3);
      await until('the other partitions continue', () => unaffected.every(({ id }) => ledger.ids().includes(id)));
      await until('the batch was retried', () => failures > 3);
      expect(subscription.position()).to.equal(0);
      isBroken = false;
      await until('the position covers every event', () => subscription.position() === published.length);
      ledger.expectAll(published);
    });

    it('report positions below which the group has handled every event', async () => {
      const handled = new Set<number>();
      const record = async (events: readonly RecordedEvent[]): Promise<void> => {
        ledger.record(events);
        for (const { position } of events) handled.add(position);
      };
      const members = [await join(record), await join(record)];
      const published: NewEvent[] = [];
      for (let round = 0; round < 60; round += 1) {
        const events = [1, 2, 3, 4, 5].map((number) => stored(round * 5 + number));
        await opened.publish(events);
        published.push(...events);
        const lowest = Math.min(...members.map((member) => member.position()));
        for (let position = 1; position <= lowest; position += 1)
          expect(handled.has(position), `${position} of ${lowest}`).to.equal(true);
      }
      await until('both members report that every event is handled', () =>
        members.every((member) => member.position() === published.length),
      );
      ledger.expectAll(published);
    });

    it('continue at the committed offsets after a restart', async () => {
      const first = await join(async (events) => ledger.record(events));
      await first.settled();
      await opened.publish([1, 2, 3, 4, 5, 6, 7, 8].map((number) => stored(number)));
      await first.settled();
      await opened.stream.close();
      opened = kafkaStreamOver(temporary.host, names);
      const second = await join(async (events) => ledger.record(events));
      await opened.publish([9, 10].map((number) => stored(number)));
      await second.settled();
      expect(ledger.ids()).to.have.members([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => stored(number).id));
    });
  });
}
