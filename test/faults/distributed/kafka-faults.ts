/** Kafka faults: repeated events in the wrong order, and a topic that is deleted and created again. */
import { expect } from 'chai';
import { Kafka } from 'kafkajs';
import { until } from '../../support/checks/until.js';
import { readTopic } from '../../support/servers/read-topic.js';
import { serverAddress } from '../../support/servers/servers.js';
import { expectConsistentStores, type FaultSetup, survivesFault } from './fault-checks.js';
import { WITHOUT_ENRICHER } from './fleet-variables.js';

export function kafkaFaults(stage: () => FaultSetup): void {
  it('may deliver twice and out of order without an effect', async function () {
    this.timeout(180_000);
    const { fleet } = stage();
    const topic = `${fleet.deployment.topicPrefix}memory.events`;
    const messages = (await readTopic(topic, serverAddress('kafka').split(','))).map(
      // Added partitions stay empty.
      ({ key, value, partition }) => ({ key, value, partition }),
    );
    expect(messages.length).to.be.greaterThan(10);
    const kafka = new Kafka({ clientId: 'test-repeater', brokers: serverAddress('kafka').split(','), logLevel: 0 });
    const producer = kafka.producer();
    await producer.connect();
    const shuffled = [...messages, ...messages.slice(0, messages.length / 2)].reverse();
    for (let from = 0; from < shuffled.length; from += 500)
      await producer.send({ topic, messages: shuffled.slice(from, from + 500) });
    await producer.disconnect();
    await survivesFault(stage(), async () => undefined);
  });

  it('loses no event when the topic is made again', async function () {
    this.timeout(300_000);
    const { fleet } = stage();
    const topic = `${fleet.deployment.topicPrefix}memory.events`;
    await survivesFault({ ...stage(), isTopicWhole: false }, async () => {
      const kafka = new Kafka({ clientId: 'test-deleter', brokers: serverAddress('kafka').split(','), logLevel: 0 });
      const admin = kafka.admin();
      await admin.connect();
      await admin.deleteTopics({ topics: [topic] });
      await until('the topic exists again', async () => (await admin.listTopics()).includes(topic));
      await admin.disconnect();
    });
  });

  it('queues vectors in store replies while no projector runs', async function () {
    this.timeout(180_000);
    const { fleet } = stage();
    const ports = await Promise.all(
      fleet.members('projectors').map(async (member) => {
        await member.stop('SIGKILL');
        return member.port;
      }),
    );
    const embedding = Array.from({ length: 384 }, (_, index) => (index === 7 ? 1 : 0));
    await until(
      'a store reports a queued vector after the heartbeat is missing',
      async () => {
        const { status, body } = await fleet.request('POST', '/memory', {
          body: { content: 'No projector runs now', tags: ['unindexed'], type: 'Context', embedding },
        });
        expect(status).to.equal(201);
        return body.qdrant === 'queued';
      },
      90_000,
    );
    for (const port of ports) await fleet.add('projectors', { port, variables: WITHOUT_ENRICHER });
    await expectConsistentStores({ ...stage(), isTopicWhole: false });
    const { body } = await fleet.request('POST', '/memory', {
      body: { content: 'A projector runs again', tags: ['indexed'], type: 'Context', embedding },
    });
    expect(body.qdrant).to.equal('stored');
  });
}
