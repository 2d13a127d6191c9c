/** How long after its decision an event was in Kafka: by the time in the event and the time at which its message was sent. */
import { Kafka } from 'kafkajs';
import { summarize, type Row } from './measure.js';

/** Reads what the topic holds of the events since `since`. The lag covers commit, graph and relay: the relay's own is less. */
export async function measureRelayLag({ brokers, topic, since }: { readonly brokers: readonly string[]; readonly topic: string; readonly since: Date }): Promise<Row> {
  const kafka = new Kafka({ clientId: 'bench-lag', brokers: [...brokers], logLevel: 0 });
  const lags: number[] = [];
  const admin = kafka.admin();
  const consumer = kafka.consumer({ groupId: `bench-lag-${Date.now()}`, maxWaitTimeInMs: 200 });
  try {
    await admin.connect();
    const ends = new Map((await admin.fetchTopicOffsets(topic)).map(({ partition, high }) => [partition, Number(high)]));
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      const open = new Set([...ends].filter(([, end]) => end > 0).map(([partition]) => partition));
      if (open.size === 0) resolve();
      consumer.run({
        eachMessage: async ({ partition, message }) => {
          const { time } = JSON.parse(message.value?.toString('utf8') ?? '{}') as { time?: string };
          if (time !== undefined && Date.parse(time) >= since.getTime()) lags.push(Number(message.timestamp) - Date.parse(time));
          if (Number(message.offset) + 1 >= (ends.get(partition) ?? 0)) open.delete(partition);
          if (open.size === 0) resolve();
        },
      }).catch(reject);
    });
  } finally {
    await consumer.disconnect();
    await admin.disconnect();
  }
  const { p50, p95, count } = summarize(lags, 1);
  return { what: `decision to Kafka (commit, graph and relay), ${count} events`, figure: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms` };
}
