import { Kafka } from 'kafkajs';
import { serverAddress } from './servers.js';

/** One message as any consumer would see it. */
export type TopicEvent = { readonly id: string; readonly partition: number; readonly offset: number };

/** Everything that the topic holds now, in order within each partition. Keys keep to one partition. */
export async function readTopic(topic: string): Promise<readonly TopicEvent[]> {
  const kafka = new Kafka({ clientId: 'test-reader', brokers: serverAddress('kafka').split(','), logLevel: 0 });
  const admin = kafka.admin();
  const consumer = kafka.consumer({ groupId: `test-reader-${Date.now()}-${Math.round(performance.now())}`, maxWaitTimeInMs: 200 });
  const events: TopicEvent[] = [];
  try {
    await admin.connect();
    const offsets = await admin.fetchTopicOffsets(topic);
    const open = new Map(offsets.filter(({ high, low }) => Number(high) > Number(low)).map(({ partition, high }) => [partition, Number(high)]));
    if (open.size === 0) return [];
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      consumer.run({
        eachMessage: async ({ partition, message }) => {
          const { id } = JSON.parse(message.value?.toString('utf8') ?? '{}') as { id: string };
          events.push({ id, partition, offset: Number(message.offset) });
          if (Number(message.offset) + 1 >= (open.get(partition) ?? 0)) open.delete(partition);
          if (open.size === 0) resolve();
        },
      }).catch(reject);
    });
    return events;
  } finally {
    await consumer.disconnect();
    await admin.disconnect();
  }
}
