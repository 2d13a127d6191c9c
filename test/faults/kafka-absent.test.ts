/** What the stream over Kafka does while no broker is there. Needs none. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { createActivityFeed } from '../../query-api/stream/create-activity-feed.js';
import type { Activity } from '../../shared/contract/events.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import { silentLogger } from '../../shared/kernel/logger.js';
import { createKafkaStream, type KafkaStream } from '../../shared/stream/kafka/create-kafka-stream.js';
import { kafkaConfig } from '../../shared/stream/kafka/kafka-variables.js';
import { recorded, stored } from '../support/events.js';
import { rejection } from '../support/rejection.js';

const activity: Activity = { kind: 'recalled', ids: ['a'], at: '2024-01-01T10:00:00.000Z' };

describe('a stream whose broker is not there', () => {
  let stream: KafkaStream;
  beforeEach(async () => {
    const journal = { read: async () => [], head: async () => 0 };
    const config = kafkaConfig({ KAFKA_BROKERS: `127.0.0.1:${await unusedPort()}` });
    stream = createKafkaStream({ config, journal, publishedThrough: async () => 0, logger: silentLogger });
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
    it(`says so when asked to ${name}, with what to check, and that it may be tried again`, async () => {
      const error = await rejection(call());
      expect(error).to.be.instanceOf(DependencyError).with.property('dependency', 'stream');
      expect(error.message).to.include('check KAFKA_BROKERS');
    });
  }

  it('keeps nobody from watching, and nobody who watches from going', async () => {
    const feed = createActivityFeed({ source: stream, instance: 'test', logger: silentLogger });
    feed.follow(() => {
      throw new Error('there is nothing to hear');
    })();
    const before = performance.now();
    await feed.close();
    expect(performance.now() - before, 'a group is waited for up to a minute').to.be.below(10_000);
  });

  it('loses activity, as much as there is, and troubles nobody', async () => {
    for (let count = 0; count < 5_000; count += 1) stream.notify(activity);
    await stream.flushed();
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
