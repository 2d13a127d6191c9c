import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { ENVELOPE_LIMIT_BYTES } from '../../../shared/contract/limits.js';
import { ConfigurationError } from '../../../shared/kernel/config.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { readCheckpoint, checkpointMetadata } from '../../../shared/stream/kafka/checkpoint.js';
import { requests } from '../../../shared/stream/kafka/create-event-publisher.js';
import { kafkaConfig } from '../../../shared/stream/kafka/kafka-variables.js';
import { createPartitionOf } from '../../../shared/stream/kafka/partition-of.js';
import { GUARDED_VERSION, quietIdleRequests } from '../../../shared/stream/kafka/quiet-idle-requests.js';
import { streamFailure } from '../../../shared/stream/kafka/stream-failure.js';
import { RECORD_BATCH_LIMIT_BYTES } from '../../../shared/stream/kafka/topics.js';
import { numberedId } from '../../support/events.js';

const require = createRequire(import.meta.url);

describe('the configuration of Kafka', () => {
  it('needs nothing but takes what it is given', () => {
    expect(kafkaConfig({})).to.include({ prefix: '', partitions: 6, sasl: null });
    expect(kafkaConfig({ KAFKA_BROKERS: 'a:1, b:2', KAFKA_TOPIC_PREFIX: 'x-' })).to.deep.include({
      brokers: ['a:1', 'b:2'],
      prefix: 'x-',
    });
  });

  it('says everything that is wrong at once', () => {
    const read = (): unknown =>
      kafkaConfig({ KAFKA_BROKERS: ',', KAFKA_TOPIC_PREFIX: 'a/b', KAFKA_SASL_USERNAME: 'me' });
    expect(read).to.throw(ConfigurationError).with.property('problems').that.has.lengthOf(3);
  });

  it('leaves room in a record batch for the largest event', () => {
    expect(RECORD_BATCH_LIMIT_BYTES).to.be.greaterThan(2 * ENVELOPE_LIMIT_BYTES);
  });
});

describe('requests to Kafka', () => {
  const message = (key: string, bytes: number) => ({ key, value: 'x'.repeat(bytes) });

  it('are cut by bytes, in order, and take at least one event each', () => {
    const messages = [message('a', 400), message('b', 400), message('c', 5_000), message('d', 10)];
    expect(requests(messages, 1_200).map((request) => request.map(({ key }) => key))).to.deep.equal([
      ['a', 'b'],
      ['c'],
      ['d'],
    ]);
    expect(requests([], 1_200)).to.deep.equal([]);
  });

  it('count bytes, not characters', () => {
    const wide = { key: 'a', value: '🧠'.repeat(100) };
    expect(requests([wide, wide], 900)).to.have.lengthOf(2);
  });
});

describe('the guard against idle timers', () => {
  it('is written for the version that is installed', () => {
    const installed = JSON.parse(readFileSync(require.resolve('kafkajs/package.json'), 'utf8')) as { version: string };
    expect(installed.version).to.equal(GUARDED_VERSION);
  });

  it('sets a timer only where requests wait, however often it is put up', () => {
    quietIdleRequests();
    quietIdleRequests();
    // The part of it that the guard touches.
    const RequestQueue = require('kafkajs/src/network/requestQueue') as new (options: object) => {
      pending: unknown[];
      throttledUntil: number;
      throttleCheckTimeoutId: NodeJS.Timeout | null;
      scheduleCheckPendingRequests(): void;
      destroy(): void;
    };
    const queue = new RequestQueue({ maxInFlightRequests: 1, logger: {} });
    queue.scheduleCheckPendingRequests();
    expect(queue.throttleCheckTimeoutId).to.equal(null);
    queue.throttledUntil = Date.now() + 60_000;
    queue.scheduleCheckPendingRequests();
    expect(queue.throttleCheckTimeoutId).not.to.equal(null);
    queue.destroy();
  });
});

describe('a checkpoint in Kafka', () => {
  it('comes back as it was committed', () => {
    expect(readCheckpoint('7', checkpointMetadata({ position: 9, isComplete: true }))).to.deep.equal({
      offset: 7n,
      position: 9,
      isComplete: true,
    });
    expect(readCheckpoint('-1', null)).to.equal(null);
  });

  it('that somebody else committed leads through the journal from its beginning', () => {
    for (const metadata of [null, '', 'reset by hand', '7', '{"position":-1,"isComplete":true}']) {
      expect(readCheckpoint('7', metadata)).to.deep.equal({ offset: 7n, position: 0, isComplete: false });
    }
  });
});

describe('the partition of a key', () => {
  it('is the one that every client of Kafka computes', () => {
    // Values of murmur2 in Kafka's own tests, positive and modulo.
    const partitionOf = createPartitionOf(1_000);
    expect([partitionOf('21'), partitionOf('foobar'), partitionOf('a-little-bit-long-string')]).to.deep.equal([
      (-973_932_308 & 0x7fffffff) % 1_000,
      (-790_332_482 & 0x7fffffff) % 1_000,
      (-985_981_536 & 0x7fffffff) % 1_000,
    ]);
  });

  it('spreads memories over all partitions', () => {
    const partitionOf = createPartitionOf(6);
    expect(new Set(Array.from({ length: 100 }, (_, number) => partitionOf(numberedId(number))))).to.have.lengthOf(6);
  });
});

describe('an error of Kafka', () => {
  it('can be waited out, unless only the configuration can mend it', () => {
    expect(streamFailure(new Error('Connection error: ECONNREFUSED'), 'answer')).to.be.instanceOf(DependencyError);
    const refused = Object.assign(new Error('refused'), { type: 'TOPIC_AUTHORIZATION_FAILED' });
    expect(streamFailure(new Error('tried 3 times', { cause: refused }), 'answer')).to.be.instanceOf(
      ConfigurationError,
    );
  });
});
