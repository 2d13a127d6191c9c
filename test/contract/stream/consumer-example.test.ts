/** Runs the consumer example of the documentation, on a real broker. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Kafka, logLevel } from 'kafkajs';
import { type RecordedEvent, toCloudEvent } from '../../../shared/contract/events.js';
import { REPOSITORY } from '../../support/checks/source-files.js';
import { until } from '../../support/checks/until.js';
import { associated, deleted, recorded, stored } from '../../support/fixtures/events.js';
import { isServerWanted, serverAddress } from '../../support/servers/servers.js';

const EXAMPLE = join(REPOSITORY, 'deploy/docs/events/consumer-example.mjs');

describe('consumer example', () => {
  it('has at most 20 lines', () => {
    expect(readFileSync(EXAMPLE, 'utf8').trim().split('\n').length).to.be.at.most(20);
  });

  if (isServerWanted('kafka')) {
    it('prints every event once, also a repeated one, and ends on SIGTERM', async () => {
      const prefix = `example-${randomUUID()}.`;
      const events = [
        recorded(stored(1), 1),
        recorded(stored(2), 2),
        recorded(associated(1, 2), 3),
        recorded(deleted(1, 2), 4),
      ];
      const clear = await fillTopic(`${prefix}memory.events`, [
        ...events.slice(0, 3),
        ...events.slice(1, 3),
        ...events.slice(3),
      ]);
      const child = spawn(process.execPath, [EXAMPLE], {
        env: {
          PATH: process.env['PATH'],
          KAFKA_BROKERS: serverAddress('kafka'),
          KAFKA_TOPIC_PREFIX: prefix,
          GROUP: `${prefix}group`,
        },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const ended = once(child, 'exit');
      let printed = '';
      child.stdout.on('data', (chunk: Buffer) => {
        printed += chunk.toString('utf8');
      });
      try {
        const lines = events.map(({ time, type, subject }) => `${time} ${type} ${subject}`);
        await until('the last event is printed', () => printed.includes(lines.at(-1) ?? ''));
        expect(printed.trim().split('\n')).to.deep.equal(lines);
        child.kill('SIGTERM');
        expect(await ended).to.deep.equal([0, null]);
      } finally {
        child.kill('SIGKILL');
        await ended;
        await clear(`${prefix}group`);
      }
    });
  }
});

/** Fills one partition, so that the order is known, with events in the form that the service writes. */
async function fillTopic(topic: string, events: readonly RecordedEvent[]): Promise<(group: string) => Promise<void>> {
  const kafka = new Kafka({
    clientId: 'test',
    brokers: serverAddress('kafka').split(','),
    logLevel: logLevel.NOTHING,
    connectionTimeout: 10_000,
  });
  const [admin, producer] = [kafka.admin(), kafka.producer()];
  await Promise.all([admin.connect(), producer.connect()]);
  await admin.createTopics({ topics: [{ topic, numPartitions: 1, replicationFactor: 1 }], waitForLeaders: true });
  await producer.send({
    topic,
    messages: events.map((event) => ({ key: event.partitionKey, value: JSON.stringify(toCloudEvent(event)) })),
  });
  await producer.disconnect();
  return async (group) => {
    await admin.deleteGroups([group]);
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
  };
}
