/** What Kafka may do to us: events twice and out of order, and a topic that is deleted and created again. */
import { expect } from 'chai';
import { Kafka } from 'kafkajs';
import { readTopic } from '../../support/read-topic.js';
import { serverAddress } from '../../support/servers.js';
import { until } from '../../support/until.js';
import { WITHOUT_ENRICHER } from './fleet-variables.js';
import { everythingHolds, survives, type Stage } from './stage.js';

export function kafkaFaults(stage: () => Stage): void {
  it('is not moved by events that come twice and out of order', async function () {
    this.timeout(180_000);
    const { fleet } = stage();
    const topic = `${fleet.ground.topicPrefix}memory.events`;
    const messages = (await readTopic(topic, serverAddress('kafka').split(','))).map(({ key, value }) => ({
      key,
      value,
    }));
    expect(messages.length).to.be.greaterThan(10);
    const kafka = new Kafka({ clientId: 'test-repeater', brokers: serverAddress('kafka').split(','), logLevel: 0 });
    const producer = kafka.producer();
    await producer.connect();
    const shuffled = [...messages, ...messages.slice(0, messages.length / 2)].reverse();
    for (let from = 0; from < shuffled.length; from += 500)
      await producer.send({ topic, messages: shuffled.slice(from, from + 500) });
    await producer.disconnect();
    await survives(stage(), async () => undefined);
  });

  it('loses nothing when the topic is deleted and created again', async function () {
    this.timeout(300_000);
    const { fleet } = stage();
    const topic = `${fleet.ground.topicPrefix}memory.events`;
    await survives({ ...stage(), isTopicWhole: false }, async () => {
      const kafka = new Kafka({ clientId: 'test-deleter', brokers: serverAddress('kafka').split(','), logLevel: 0 });
      const admin = kafka.admin();
      await admin.connect();
      await admin.deleteTopics({ topics: [topic] });
      await until('the topic is there again', async () => (await admin.listTopics()).includes(topic), 60_000);
      await admin.disconnect();
    });
  });

  it('tells of a vector that is only queued while no projector runs', async function () {
    this.timeout(180_000);
    const { fleet } = stage();
    const ports = await Promise.all(
      fleet.members('projectors').map(async (member) => {
        await member.stop('SIGKILL');
        return member.port;
      }),
    );
    const embedding = Array.from({ length: 512 }, (_, index) => (index === 7 ? 1 : 0));
    await until(
      'the missing heartbeat is noticed, and a vector said to be queued',
      async () => {
        const { status, body } = await fleet.request('POST', '/memory', {
          body: { content: 'Nobody indexes now', tags: ['unindexed'], type: 'Context', embedding },
        });
        expect(status).to.equal(201);
        return body.qdrant === 'queued';
      },
      90_000,
    );
    for (const port of ports) await fleet.add('projectors', { port, variables: WITHOUT_ENRICHER });
    await everythingHolds({ ...stage(), isTopicWhole: false });
    const { body } = await fleet.request('POST', '/memory', {
      body: { content: 'Somebody indexes again', tags: ['indexed'], type: 'Context', embedding },
    });
    expect(body.qdrant).to.equal('stored');
  });
}
