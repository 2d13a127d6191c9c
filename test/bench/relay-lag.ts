/** How long after its decision an event was in Kafka: by the time in the event and the time at which its message was sent. */
import { readTopic } from '../support/read-topic.js';
import { summarize, type Row } from './measure.js';

/** Reads what the topic holds of the events since `since`. The lag covers commit, graph and relay: the relay's own is less. */
export async function measureRelayLag({
  brokers,
  topic,
  since,
}: {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly since: Date;
}): Promise<Row> {
  const lags = (await readTopic(topic, brokers)).flatMap(({ value, sentAtMs }) => {
    const decidedAtMs = Date.parse((JSON.parse(value?.toString('utf8') ?? '{}') as { time: string }).time);
    return decidedAtMs >= since.getTime() ? [sentAtMs - decidedAtMs] : [];
  });
  const { p50, p95, count } = summarize(lags, 1);
  return {
    what: `decision to Kafka (commit, graph and relay), ${count} events`,
    figure: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
  };
}
