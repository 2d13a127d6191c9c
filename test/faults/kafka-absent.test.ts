/** The Kafka stream while no broker answers. The test needs no broker. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { createActivityFeed } from '../../query-api/live-stream/activity-feed.js';
import type { Activity } from '../../shared/contract/events.js';
import { ACTIVITY_LIMIT } from '../../shared/engines/kafka/activity/activity-notifier.js';
import { createKafkaStream, type KafkaStream } from '../../shared/engines/kafka/kafka-stream.js';
import { kafkaConfig } from '../../shared/engines/kafka/kafka-variables.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import { type Logger, silentLogger } from '../../shared/kernel/logger.js';
import { createLocalTopicRecords } from '../support/adapters/topic-records.js';
import { rejection } from '../support/checks/rejection.js';
import { until } from '../support/checks/until.js';
import { recorded, stored } from '../support/fixtures/events.js';

const activity: Activity = { kind: 'recalled', ids: ['a'], at: '2024-01-01T10:00:00.000Z' };

describe('Kafka stream without a broker', () => {
  let stream: KafkaStream;
  let warnings: readonly string[];
  beforeEach(async () => {
    const journal = { read: async () => [], head: async () => 0 };
    const config = kafkaConfig({ KAFKA_BROKERS: `127.0.0.1:${await unusedPort()}` });
    warnings = [];
    const logger: Logger = {
      ...silentLogger,
      warn: (fields) => {
        warnings = [...warnings, 'err' in fields ? String(fields.err) : ''];
      },
      child: () => logger,
    };
    stream = createKafkaStream({
      config,
      journal,
      outbox: { publishedThrough: async () => ({ position: 0, complete: 0 }), unapplied: async () => new Set() },
      topicRecords: createLocalTopicRecords(),
      logger,
    });
  });
  afterEach(() => stream.close());

  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    connect: () => stream.connect(),
    ping: () => stream.ping(),
    append: () => stream.append([recorded(stored(1), 1)]),
    subscribe: () => stream.subscribe({ group: 'test', batchSize: 1, handle: async () => undefined }),
    listen: () => stream.listen('test', async () => undefined),
  };
  for (const [name, call] of Object.entries(calls)) {
    it(`rejects ${name} and names the variable to check`, async () => {
      const error = await rejection(call());
      expect(error).to.be.instanceOf(DependencyError).with.property('dependency', 'stream');
      expect(error.message).to.include('check KAFKA_BROKERS');
    });
  }

  it('lets an activity feed be followed and closed without delay', async () => {
    const feed = createActivityFeed({ source: stream, instance: 'test', logger: silentLogger });
    feed.follow(() => {
      throw new Error('no activity can arrive');
    })();
    const before = performance.now();
    await feed.close();
    expect(performance.now() - before, 'joining a group may take a minute').to.be.below(10_000);
  });

  it('drops activity beyond its buffer and logs every loss', async () => {
    const lost = (): readonly number[] =>
      warnings.flatMap((text) => /take (\d+) activities, which are lost/u.exec(text)?.[1] ?? []).map(Number);
    for (let count = 0; count < 5 * ACTIVITY_LIMIT; count += 1) stream.notify(activity);
    await stream.flushed();
    await until('the loss of the full buffer is logged', () => lost().length > 0);
    stream.notify(activity);
    await stream.flushed();
    await until('the loss of one more activity is logged', () => lost().length > 1);
    expect(lost()).to.deep.equal([ACTIVITY_LIMIT, 1]);
  });
});

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
