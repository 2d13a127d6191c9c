/** What Kafka may do to us: events twice and out of order, and a topic that is deleted and created again. */
import { expect } from 'chai';
import { Kafka } from 'kafkajs';
import { serverAddress } from '../../support/servers.js';
import { until } from '../../support/until.js';
import { everythingHolds, survives, type Stage } from './stage.js';

export function kafkaFaults(stage: () => Stage): void {
  it('is not moved by events that come twice and out of order', async function () {
    this.timeout(180_000);
    const { fleet } = stage();
    const topic = `${fleet.ground.topicPrefix}memory.events`;
    const messages = await readMessages(topic);
    expect(messages.length).to.be.greaterThan(10);
    const kafka = new Kafka({ clientId: 'test-repeater', brokers: serverAddress('kafka').split(','), logLevel: 0 });
    const producer = kafka.producer();
    await producer.connect();
    const shuffled = [...messages, ...messages.slice(0, messages.length / 2)].reverse();
    for (let from = 0; from < shuffled.length; from += 500) await producer.send({ topic, messages: shuffled.slice(from, from + 500) });
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
    const ports = await Promise.all(fleet.members('projectors').map(async (member) => {
      await member.stop('SIGKILL');
      return member.port;
    }));
    const embedding = Array.from({ length: 512 }, (_, index) => (index === 7 ? 1 : 0));
    const states = await until('the missing heartbeat is noticed', async () => {
      const { status, body } = await fleet.request('POST', '/memory', { body: { content: 'Nobody indexes now', tags: ['unindexed'], type: 'Context', embedding } });
      expect(status).to.equal(201);
      return body.qdrant === 'queued' ? body : null;
    }, 90_000);
    expect(states.qdrant).to.equal('queued');
    for (const port of ports) await fleet.add('projectors', { port });
    await everythingHolds({ ...stage(), isTopicWhole: false });
    const { body } = await fleet.request('POST', '/memory', { body: { content: 'Somebody indexes again', tags: ['indexed'], type: 'Context', embedding } });
    expect(body.qdrant).to.equal('stored');
  });
}

async function readMessages(topic: string): Promise<{ readonly key: Buffer | null; readonly value: Buffer | null }[]> {
  const kafka = new Kafka({ clientId: 'test-repeater', brokers: serverAddress('kafka').split(','), logLevel: 0 });
  const admin = kafka.admin();
  const consumer = kafka.consumer({ groupId: `test-repeater-${Date.now()}`, maxWaitTimeInMs: 200 });
  const messages: { key: Buffer | null; value: Buffer | null }[] = [];
  await admin.connect();
  const open = new Map((await admin.fetchTopicOffsets(topic)).filter(({ high }) => Number(high) > 0).map(({ partition, high }) => [partition, Number(high)]));
  await admin.disconnect();
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    consumer.run({
      eachMessage: async ({ partition, message }) => {
        messages.push({ key: message.key, value: message.value });
        if (Number(message.offset) + 1 >= (open.get(partition) ?? 0)) open.delete(partition);
        if (open.size === 0) resolve();
      },
    }).catch(reject);
  });
  await consumer.disconnect();
  return messages;
}
