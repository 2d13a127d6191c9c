/** Members of a group come, go and wait, and nothing is lost by it. On a real broker. */
import { expect } from 'chai';
import type { NewEvent, RecordedEvent } from '../../shared/contract/events.js';
import { journalMigrations } from '../../shared/journal/sqlite/migrations.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import { createPartitionOf } from '../../shared/stream/kafka/partition-of.js';
import type { Subscription } from '../../shared/stream/stream.js';
import { numberedId, stored, updated } from '../support/events.js';
import { createKafkaLedger, type KafkaLedger } from '../support/kafka-ledger.js';
import { kafkaStreamOver, openKafkaNames, type KafkaNames, type KafkaStreamUnderTest } from '../support/kafka.js';
import { seededRandom } from '../support/random.js';
import { isServerWanted } from '../support/servers.js';
import { openTemporaryHost, type TemporaryHost } from '../support/sqlite.js';
import { until } from '../support/until.js';

const PARTITIONS = 6;
const partitionOf = createPartitionOf(PARTITIONS);

if (isServerWanted('kafka')) {
  describe('members of a group', () => {
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

    it('come and go in mid-batch, and every event arrives, in order for each key', async () => {
      const random = seededRandom(11);
      const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, random.below(20)));
      const versions = new Map<number, number>();
      const published: NewEvent[] = [];
      const slowly = async (events: readonly RecordedEvent[]): Promise<void> => {
        await breath();
        ledger.record(events);
        await breath();
      };
      const members = [await join(slowly)];
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
        if (joins.has(round)) members.push(await join(slowly));
        if (leaves.has(round)) await members.shift()?.close();
        await breath();
      }
      await members[0]?.settled();
      ledger.expectAll(published);
      expect(members).to.have.lengthOf(1);
    });

    it('hold the partition of a batch that must wait, and no other; their position waits with it', async () => {
      const [held, ...others] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
      const heldPartition = partitionOf(numberedId(held ?? 0));
      let isBroken = true;
      let refusals = 0;
      const subscription = await join(async (events) => {
        if (isBroken && events.some(({ partitionKey }) => partitionOf(partitionKey) === heldPartition)) {
          refusals += 1;
          throw new DependencyError('vectors', 'not now', { retryAfterSeconds: 0.05 });
        }
        ledger.record(events);
      });
      await subscription.settled();
      const published = [held ?? 0, ...others].map((number) => stored(number));
      await opened.publish(published);
      const free = published.filter(({ partitionKey }) => partitionOf(partitionKey) !== heldPartition);
      expect(free).to.have.length.greaterThan(3);
      await until('the other partitions went on', () => free.every(({ id }) => ledger.ids().includes(id)));
      await until('the batch was tried again', () => refusals > 3);
      expect(subscription.position()).to.equal(0);
      isBroken = false;
      await until('the position tells it', () => subscription.position() === published.length);
      ledger.expectAll(published);
    });

    it('tell positions below which everything of theirs is handled, in two processes as in one', async () => {
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
      await until('both have told that all is handled', () =>
        members.every((member) => member.position() === published.length),
      );
      ledger.expectAll(published);
    });

    it('take over, after their own restart, where others stood, and repeat nothing that was committed', async () => {
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
