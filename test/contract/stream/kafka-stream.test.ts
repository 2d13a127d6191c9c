/**
 * The promises of the Kafka stream in addition to its port: its topics, its sizes, and few timers while it is idle. On
 * a real broker.
 */
import { createHook } from 'node:async_hooks';
import { setTimeout as pass } from 'node:timers/promises';
import { expect } from 'chai';
import { Partitioners } from 'kafkajs';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { ensureTopics } from '../../../shared/engines/kafka/ensure-topics.js';
import { createKafkaAdmin } from '../../../shared/engines/kafka/kafka-admin.js';
import { createKafkaClient } from '../../../shared/engines/kafka/kafka-client.js';
import { createKafkaPublisher } from '../../../shared/engines/kafka/publisher/kafka-publisher.js';
import { createTopicLog } from '../../../shared/engines/kafka/topic-log.js';
import { createTopicOffsets } from '../../../shared/engines/kafka/topic-offsets.js';
import { activityTopic, eventTopic } from '../../../shared/engines/kafka/topics.js';
import { journalMigrations } from '../../../shared/engines/sqlite/schema/journal.js';
import { type Logger, silentLogger } from '../../../shared/kernel/logger.js';
import { openTemporaryHost, type TemporaryHost } from '../../support/adapters/sqlite.js';
import { createKafkaLedger } from '../../support/checks/kafka-ledger.js';
import { stored } from '../../support/fixtures/events.js';
import { type KafkaNames, kafkaStreamOver, openKafkaNames } from '../../support/servers/kafka.js';
import { isServerWanted } from '../../support/servers/servers.js';

const KILOBYTE = 1_024;
/** An idle subscription sets about five timers in this time; kafkajs without its guard sets thousands. */
const MEASURED_MS = 1_000;
const TIMERS_LIMIT = 200;
/** Without the serial queue of the admin client, about one of five rounds fails in kafkajs. */
const ROUNDS = 50;

type Line = { readonly level: string; readonly fields: Readonly<Record<string, unknown>> };

function recordingLogger(lines: Line[]): Logger {
  const record =
    (level: string) =>
    (fields: object): void =>
      void lines.push({ level, fields: { ...fields } });
  const logger: Logger = {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
    child: () => logger,
  };
  return logger;
}

if (isServerWanted('kafka')) {
  describe('Kafka stream', () => {
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

    it('creates its topics once, with every setting, for eight concurrent callers', async () => {
      const kafka = createKafkaClient({ config: names.config, logger: silentLogger });
      await Promise.all(Array.from({ length: 8 }, () => ensureTopics({ kafka, config: names.config })));
      const { topics } = await names.admin.fetchTopicMetadata({
        topics: [eventTopic(names.config), activityTopic(names.config)],
      });
      expect(topics.map(({ partitions }) => partitions.length)).to.deep.equal([2, 2]);
      const lines: Line[] = [];
      const publisher = createKafkaPublisher({ ...names, logger: recordingLogger(lines) });
      await publisher.connect();
      await publisher.close();
      expect(lines.filter(({ level }) => level === 'warn')).to.deep.equal([]);
    });

    it('answers each concurrent request with the data of its own topic', async () => {
      const kafka = createKafkaClient({ config: names.config, logger: silentLogger });
      await ensureTopics({ kafka, config: names.config });
      const admin = createKafkaAdmin(kafka);
      const topic = eventTopic(names.config);
      const log = createTopicLog({ admin, topic, records: names.topicRecords, logger: silentLogger });
      const offsets = createTopicOffsets({ admin, log, topic, groupId: 'test', history: null });
      const other = { topics: [activityTopic(names.config)] };
      let answered = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const [ranges, { topics }] = await Promise.all([
          offsets.ranges(),
          admin.call('describe another topic', (client) => client.fetchTopicMetadata(other)),
        ]);
        expect([...ranges.keys()]).to.have.members([0, 1]);
        expect(topics.map(({ name }) => name)).to.deep.equal(other.topics);
        answered += 1;
      }
      expect(answered).to.equal(ROUNDS);
      await admin.close();
    });

    it('warns of topics that were created with other settings, and uses them', async () => {
      await names.admin.createTopics({
        topics: [
          {
            topic: eventTopic(names.config),
            numPartitions: 1,
            configEntries: [
              { name: 'retention.ms', value: '60000' },
              { name: 'unclean.leader.election.enable', value: 'true' },
            ],
          },
        ],
      });
      const lines: Line[] = [];
      const publisher = createKafkaPublisher({ ...names, logger: recordingLogger(lines) });
      await publisher.connect();
      await publisher.close();
      const warnings = lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields);
      const durability = ['unclean.leader.election.enable', 'flush.messages'];
      expect(warnings.map(({ setting }) => setting)).to.include.members(['partitions', 'retention.ms', ...durability]);
      for (const { setting, consequence } of warnings)
        if (durability.includes(String(setting))) expect(consequence).to.match(/acknowledged/u);
    });

    it('delivers events of 890 KB, and batches larger than a request', async () => {
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

    it('skips records that are not events, logs an error, and continues', async () => {
      await names.createTopics();
      const lines: Line[] = [];
      const { stream, publish } = kafkaStreamOver(temporary.host, names, recordingLogger(lines));
      const ledger = createKafkaLedger();
      const subscription = await stream.subscribe({
        group: 'test',
        batchSize: 10,
        handle: async (batch) => ledger.record(batch),
      });
      await subscription.settled();
      const otherProgram = createKafkaClient({ config: names.config, logger: silentLogger }).producer({
        createPartitioner: Partitioners.DefaultPartitioner,
      });
      await otherProgram.connect();
      await otherProgram.send({
        topic: eventTopic(names.config),
        messages: [0, 1].map((partition) => ({ partition, value: Buffer.from([0, 159, 146, 150]) })),
      });
      await otherProgram.disconnect();
      const events = [1, 2, 3, 4].map((number) => stored(number));
      await publish(events);
      await subscription.settled();
      ledger.expectAll(events);
      expect(lines.filter(({ level }) => level === 'error').map(({ fields }) => fields['skipped'])).to.deep.equal([
        1, 1,
      ]);
      await stream.close();
    });

    it('delivers all events again after a checkpoint of another history', async () => {
      await names.createTopics();
      const events = [1, 2, 3].map((number) => stored(number));
      const given: string[][] = [];
      for (const history of ['before', 'before', 'now']) {
        const { stream, publish } = kafkaStreamOver(temporary.host, { ...names, history });
        if (given.length === 0) await publish(events);
        const ids: string[] = [];
        const handle = async (batch: readonly RecordedEvent[]) => void ids.push(...batch.map(({ id }) => id));
        const subscription = await stream.subscribe({ group: 'test', batchSize: 10, handle });
        await subscription.settled();
        await stream.close();
        given.push([...new Set(ids)].sort());
      }
      const all = events.map(({ id }) => id).sort();
      expect(given).to.deep.equal([all, [], all]);
    });

    it('sets few timers while it is idle', async () => {
      await names.createTopics();
      const { stream, publish } = kafkaStreamOver(temporary.host, names);
      const subscription = await stream.subscribe({ group: 'test', batchSize: 10, handle: async () => undefined });
      await publish([stored(1)]);
      await subscription.settled();
      let timers = 0;
      const hook = createHook({ init: (_, type) => void (type === 'Timeout' && (timers += 1)) }).enable();
      // A rate needs a fixed time, so the test waits for this time.
      await pass(MEASURED_MS);
      hook.disable();
      expect(timers).to.be.lessThan(TIMERS_LIMIT);
      await stream.close();
    });
  });
}
