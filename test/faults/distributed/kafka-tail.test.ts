/**
 * Kafka loses records that it has acknowledged, as after a power loss. Our groups receive every event. On a local
 * broker.
 */
import { expect } from 'chai';
import type { NewEvent } from '../../../shared/contract/events.js';
import { eventTopic } from '../../../shared/engines/kafka/topics.js';
import { journalMigrations } from '../../../shared/engines/sqlite/schema/journal.js';
import type { Subscription } from '../../../shared/ports/stream.js';
import { openTemporaryHost, type TemporaryHost } from '../../support/adapters/sqlite.js';
import { createKafkaLedger, type KafkaLedger } from '../../support/checks/kafka-ledger.js';
import { until } from '../../support/checks/until.js';
import { stored, updated } from '../../support/fixtures/events.js';
import {
  type KafkaNames,
  kafkaStreamOver,
  type KafkaStreamUnderTest,
  openKafkaNames,
} from '../../support/servers/kafka.js';
import { loseTail, topicSizes } from '../../support/servers/kafka-tail.js';

type Group = { readonly ledger: KafkaLedger; readonly open: () => Promise<Subscription> };

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('Kafka tail loss', () => {
  let names: KafkaNames;
  let temporary: TemporaryHost;
  let opened: KafkaStreamUnderTest;
  let published: NewEvent[];
  beforeEach(async () => {
    [names, temporary] = [
      await openKafkaNames({ KAFKA_PARTITIONS: '2', KAFKA_SESSION_TIMEOUT_MS: '6000' }),
      await openTemporaryHost([journalMigrations]),
    ];
    await names.createTopics();
    opened = kafkaStreamOver(temporary.host, names);
    published = [];
  });
  afterEach(async () => {
    await opened.stream.close();
    await names.remove();
    await temporary.remove();
  });

  function group(name: string): Group {
    const ledger = createKafkaLedger();
    const handle = async (events: Parameters<KafkaLedger['record']>[0]): Promise<void> => ledger.record(events);
    return { ledger, open: () => opened.stream.subscribe({ group: name, batchSize: 10, handle }) };
  }
  async function publish(...events: NewEvent[]): Promise<void> {
    await opened.publish(events);
    published.push(...events);
  }
  const handled = ({ ledger }: Group): Promise<unknown> =>
    until('the group has handled every event', () => {
      const ids = new Set(ledger.ids());
      return published.every(({ id }) => ids.has(id));
    });

  it('hides no event from a paused group, a group at the end, or a closed group', async () => {
    const groups = [group('paused'), group('ahead'), group('closed')] as const;
    const [behind, , closing] = await Promise.all(groups.map(({ open }) => open()));
    await publish(...numbers(1, 20).map((number) => stored(number)));
    await Promise.all([behind, closing].map((subscription) => subscription?.settled()));
    behind?.pause();
    await publish(...numbers(1, 5).map((number) => updated(number, 2)));
    const sizes = await topicSizes(eventTopic(names.config));
    expect(sizes.size).to.equal(2);
    await publish(...numbers(6, 20).map((number) => updated(number, 2)));
    await handled(groups[1]);
    await closing?.settled();
    await closing?.close();
    await loseTail(sizes);
    // More events than the lost ones: the topic ends behind its former end again.
    await publish(...numbers(1, 20).map((number) => updated(number, 3)));
    await publish(...numbers(21, 60).map((number) => stored(number)));
    behind?.resume();
    const reopened = await groups[2].open();
    await Promise.all(groups.map(handled)).catch(() => undefined /* the next assertion shows the lost events */);
    for (const { ledger } of groups) ledger.expectAll(published);
    await until('each position covers every event', () =>
      [behind, reopened].every((subscription) => subscription?.position() === published.length),
    );
  });
});
