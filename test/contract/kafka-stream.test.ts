/** What the stream over Kafka promises beyond its port: its topics, its sizes, and its silence. On a real broker. */
import { createHook } from 'node:async_hooks';
import { setTimeout as pass } from 'node:timers/promises';
import { expect } from 'chai';
import { Partitioners } from 'kafkajs';
import { journalMigrations } from '../../shared/journal/sqlite/migrations.js';
import { silentLogger, type Logger } from '../../shared/kernel/logger.js';
import { createKafka } from '../../shared/stream/kafka/create-kafka.js';
import { createKafkaAdmin } from '../../shared/stream/kafka/create-kafka-admin.js';
import { createKafkaPublisher } from '../../shared/stream/kafka/create-kafka-publisher.js';
import { ensureTopics } from '../../shared/stream/kafka/ensure-topics.js';
import { createTopicOffsets } from '../../shared/stream/kafka/topic-offsets.js';
import { activityTopic, eventTopic } from '../../shared/stream/kafka/topics.js';
import { stored } from '../support/events.js';
import { createKafkaLedger } from '../support/kafka-ledger.js';
import { kafkaStreamOver, openKafkaNames, type KafkaNames } from '../support/kafka.js';
import { isServerWanted } from '../support/servers.js';
import { openTemporaryHost, type TemporaryHost } from '../support/sqlite.js';

const KILOBYTE = 1_024;
/** A subscription that rests sets about five timers in this time; kafkajs without its guard sets thousands. */
const WATCHED_MS = 1_000;
const TIMERS_LIMIT = 200;
/** kafkajs by itself fails in one of five. */
const ROUNDS = 50;

type Line = { readonly level: string; readonly fields: Readonly<Record<string, unknown>> };

function keepingLogger(lines: Line[]): Logger {
  const keep =
    (level: string) =>
    (fields: object): void =>
      void lines.push({ level, fields: { ...fields } });
  const logger: Logger = {
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    child: () => logger,
  };
  return logger;
}

if (isServerWanted('kafka')) {
  describe('a stream over Kafka', () => {
    let names: KafkaNames;
    let temporary: TemporaryHost;
    beforeEach(async () => {
      [names, temporary] = [
        await openKafkaNames({ KAFKA_PARTITIONS: '2' }),
        await openTemporaryHost([journalMigrations]),
      ];
    });
    afterEach(async () => {
      await names.remove();
      await temporary.remove();
    });

    it('has its topics made once, with every setting, by however many at once', async () => {
      const kafka = createKafka({ config: names.config, logger: silentLogger });
      await Promise.all(Array.from({ length: 8 }, () => ensureTopics({ kafka, config: names.config })));
      const { topics } = await names.admin.fetchTopicMetadata({
        topics: [eventTopic(names.config), activityTopic(names.config)],
      });
      expect(topics.map(({ partitions }) => partitions.length)).to.deep.equal([2, 2]);
      const lines: Line[] = [];
      const publisher = createKafkaPublisher({ config: names.config, logger: keepingLogger(lines) });
      await publisher.connect();
      await publisher.close();
      expect(lines.filter(({ level }) => level === 'warn')).to.deep.equal([]);
    });

    it('answers questions about several topics that are asked at once', async () => {
      const kafka = createKafka({ config: names.config, logger: silentLogger });
      await ensureTopics({ kafka, config: names.config });
      const admin = createKafkaAdmin(kafka);
      const offsets = createTopicOffsets({ admin, topic: eventTopic(names.config), groupId: 'nobody' });
      const other = { topics: [activityTopic(names.config)] };
      for (let round = 0; round < ROUNDS; round += 1) {
        await Promise.all([
          offsets.ranges(),
          admin.ask('describe another topic', (client) => client.fetchTopicMetadata(other)),
        ]);
      }
      await admin.close();
    });

    it('warns of topics that somebody made otherwise, and uses them', async () => {
      await names.admin.createTopics({
        topics: [
          {
            topic: eventTopic(names.config),
            numPartitions: 1,
            configEntries: [{ name: 'retention.ms', value: '60000' }],
          },
        ],
      });
      const lines: Line[] = [];
      const publisher = createKafkaPublisher({ config: names.config, logger: keepingLogger(lines) });
      await publisher.connect();
      await publisher.close();
      const settings = lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields['setting']);
      expect(settings).to.include.members(['partitions', 'retention.ms']);
    });

    it('carries events of 890 KB, and batches larger than a request', async () => {
      await names.createTopics();
      const { stream, publish } = kafkaStreamOver(temporary.host, names);
      const ledger = createKafkaLedger();
      const events = [
        stored(1, { content: 'x'.repeat(890 * KILOBYTE) }),
        ...[2, 3, 4, 5].map((number) => stored(number, { content: 'y'.repeat(500 * KILOBYTE) })),
        stored(6, { content: 'ü'.repeat(445 * KILOBYTE) }),
        ...Array.from({ length: 500 }, (_, index) => stored(7 + index, { content: 'z'.repeat(4 * KILOBYTE) })),
      ];
      const subscription = await stream.subscribe({
        group: 'test',
        batchSize: 128,
        handle: async (batch) => ledger.record(batch),
      });
      await subscription.settled();
      await publish(events);
      await subscription.settled();
      ledger.expectAll(events);
      await stream.close();
    });

    it('passes over what is no event, says so, and goes on', async () => {
      await names.createTopics();
      const lines: Line[] = [];
      const { stream, publish } = kafkaStreamOver(temporary.host, names, keepingLogger(lines));
      const ledger = createKafkaLedger();
      const subscription = await stream.subscribe({
        group: 'test',
        batchSize: 10,
        handle: async (batch) => ledger.record(batch),
      });
      await subscription.settled();
      const stranger = createKafka({ config: names.config, logger: silentLogger }).producer({
        createPartitioner: Partitioners.DefaultPartitioner,
      });
      await stranger.connect();
      await stranger.send({
        topic: eventTopic(names.config),
        messages: [0, 1].map((partition) => ({ partition, value: Buffer.from([0, 159, 146, 150]) })),
      });
      await stranger.disconnect();
      const events = [1, 2, 3, 4].map((number) => stored(number));
      await publish(events);
      await subscription.settled();
      ledger.expectAll(events);
      expect(lines.filter(({ level }) => level === 'error').map(({ fields }) => fields['skipped'])).to.deep.equal([
        1, 1,
      ]);
      await stream.close();
    });

    it('rests while nothing happens', async () => {
      await names.createTopics();
      const { stream, publish } = kafkaStreamOver(temporary.host, names);
      const subscription = await stream.subscribe({ group: 'test', batchSize: 10, handle: async () => undefined });
      await publish([stored(1)]);
      await subscription.settled();
      let timers = 0;
      const hook = createHook({ init: (_, type) => void (type === 'Timeout' && (timers += 1)) }).enable();
      // A rate is counted over time, so here the time itself is what is waited for.
      await pass(WATCHED_MS);
      hook.disable();
      expect(timers).to.be.lessThan(TIMERS_LIMIT);
      await stream.close();
    });
  });
}
