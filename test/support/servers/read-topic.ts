/** Reads a topic with a plain Kafka consumer, without our ports. */
import { Kafka } from 'kafkajs';

export type TopicMessage = {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly partition: number;
  /** Send time in epoch milliseconds. */
  readonly sentAtMs: number;
};

/** Resolves with all messages that the topic holds at the time of the call, in order within each partition. */
export async function readTopic(topic: string, brokers: readonly string[]): Promise<readonly TopicMessage[]> {
  const kafka = new Kafka({ clientId: 'topic-reader', brokers: [...brokers], logLevel: 0 });
  const admin = kafka.admin();
  const consumer = kafka.consumer({
    groupId: `topic-reader-${Date.now()}-${Math.round(performance.now())}`,
    maxWaitTimeInMs: 200,
  });
  const messages: TopicMessage[] = [];
  try {
    await admin.connect();
    const offsets = await admin.fetchTopicOffsets(topic);
    const open = new Map(
      offsets
        .filter(({ high, low }) => Number(high) > Number(low))
        .map(({ partition, high }) => [partition, Number(high)]),
    );
    if (open.size === 0) return [];
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      consumer
        .run({
          eachMessage: async ({ partition, message: { key, value, timestamp, offset } }) => {
            if (open.has(partition)) messages.push({ key, value, partition, sentAtMs: Number(timestamp) });
            if (Number(offset) + 1 >= (open.get(partition) ?? 0)) open.delete(partition);
            if (open.size === 0) resolve();
          },
        })
        .catch(reject);
    });
    return messages;
  } finally {
    await consumer.disconnect();
    await admin.disconnect();
  }
}
