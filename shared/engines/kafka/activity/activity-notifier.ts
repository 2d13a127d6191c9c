/**
 * Sends activity to its topic in the background: no caller waits for it, the buffer is bounded, and activity that
 * cannot be sent is lost with a log line. It has its own producer, because events must never wait for activity.
 */
import { type Kafka, Partitioners, type Producer } from 'kafkajs';
import type { Activity } from '../../../contract/events.js';
import { createLoop } from '../../../kernel/concurrency/loop.js';
import { createSerialQueue } from '../../../kernel/concurrency/serial-queue.js';
import type { Logger } from '../../../kernel/logger.js';
import { withoutSpan } from '../../../kernel/tracing/tracing.js';
import { REQUEST_TIMEOUT_MS } from '../kafka-client.js';
import { streamFailure } from '../stream-failure.js';

/** Activities in the buffer; more are dropped. */
export const ACTIVITY_LIMIT = 1_000;
/** Activities in one record. */
const RECORD_LIMIT = 100;
const PACE = { idleMinimumMs: 1_000, idleMaximumMs: 1_000, failedMinimumMs: 1_000, failedMaximumMs: 30_000 };

export type ActivityNotifier = {
  readonly notify: (activity: Activity) => void;
  /** Resolves when all activity notified before the call has been sent or lost. */
  readonly flushed: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export function createActivityNotifier({
  kafka,
  topic,
  logger,
}: {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly logger: Logger;
}): ActivityNotifier {
  let buffer: Activity[] = [];
  let connecting: Promise<Producer> | null = null;
  let running: Promise<void> | null = null;
  const enqueue = createSerialQueue();
  const stop = new AbortController();

  async function connect(): Promise<Producer> {
    const producer = kafka.producer({
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: { retries: 0 },
    });
    await producer.connect();
    return producer;
  }

  async function discardProducer(): Promise<void> {
    const discarded = connecting;
    connecting = null;
    await discarded
      ?.then((producer) => producer.disconnect())
      .catch(() => undefined /* the failed send reports the error */);
  }

  async function send(): Promise<void> {
    const activities = buffer;
    if (activities.length === 0) return;
    buffer = [];
    try {
      const producer = await (connecting ??= connect());
      await producer.send({ topic, messages: records(activities), acks: 1, timeout: REQUEST_TIMEOUT_MS });
    } catch (error) {
      await discardProducer();
      throw streamFailure(error, `take ${activities.length} activities, which are lost`);
    }
  }

  const flush = (): Promise<void> => enqueue(send);

  const loop = createLoop({
    step: async () => {
      await flush();
      return 'idle';
    },
    onFailure: (err, waitMs) => logger.warn({ err, waitMs }, 'activity was lost'),
    pace: PACE,
  });

  return {
    notify: (activity) => {
      if (stop.signal.aborted || buffer.length >= ACTIVITY_LIMIT) return;
      buffer.push(activity);
      running ??= withoutSpan(() => loop.run(stop.signal));
      loop.wake();
    },
    flushed: () => flush().catch((err: unknown) => logger.warn({ err }, 'activity was lost')),
    close: async () => {
      stop.abort();
      await running;
      await enqueue(discardProducer);
    },
  };
}

function records(activities: readonly Activity[]): { readonly value: string }[] {
  const starts = Array.from(
    { length: Math.ceil(activities.length / RECORD_LIMIT) },
    (_, index) => index * RECORD_LIMIT,
  );
  return starts.map((start) => ({ value: JSON.stringify(activities.slice(start, start + RECORD_LIMIT)) }));
}
