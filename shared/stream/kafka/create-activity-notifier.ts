/**
 * Tells activity to its topic in passing: what waits is bounded, what fails is lost and said, nobody waits for it. Its producer is apart
 * from that of the events, which must never wait for it.
 */
import { Partitioners, type Kafka, type Producer } from 'kafkajs';
import type { Activity } from '../../contract/events.js';
import type { Logger } from '../../kernel/logger.js';
import { createLoop } from '../../kernel/loop.js';
import { streamFailure } from './stream-failure.js';

/** Activities that may wait to be sent; what comes beyond it is lost. */
export const ACTIVITY_LIMIT = 1_000;
/** Activities in one record. */
const RECORD_LIMIT = 100;
const PACE = { idleMinimumMs: 1_000, idleMaximumMs: 1_000, failedMinimumMs: 1_000, failedMaximumMs: 30_000 };

export type ActivityNotifier = {
  readonly notify: (activity: Activity) => void;
  /** Resolves when what was notified before has been sent or lost. */
  readonly flushed: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export function createActivityNotifier({
  kafka,
  topic,
  requestTimeoutMs,
  logger,
}: {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly requestTimeoutMs: number;
  readonly logger: Logger;
}): ActivityNotifier {
  let waiting: Activity[] = [];
  let sending: Promise<void> = Promise.resolve();
  let connecting: Promise<Producer> | null = null;
  let running: Promise<void> | null = null;
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

  async function drop(): Promise<void> {
    const dropped = connecting;
    connecting = null;
    await dropped?.then((producer) => producer.disconnect()).catch(() => undefined /* told by the send that failed */);
  }

  async function send(): Promise<void> {
    const activities = waiting;
    if (activities.length === 0) return;
    waiting = [];
    try {
      const producer = await (connecting ??= connect());
      await producer.send({ topic, messages: records(activities), acks: 1, timeout: requestTimeoutMs });
    } catch (error) {
      await drop();
      throw streamFailure(error, `take ${activities.length} activities, which are lost`);
    }
  }

  function flush(): Promise<void> {
    const turn = sending.then(send);
    sending = turn.catch(() => undefined /* told to whose turn it was */);
    return turn;
  }

  const loop = createLoop({
    step: async () => {
      await flush();
      return 'idle';
    },
    onFailure: (error, waitMs) => logger.warn({ error, waitMs }, 'Activity was lost'),
    pace: PACE,
  });

  return {
    notify: (activity) => {
      if (stop.signal.aborted || waiting.length >= ACTIVITY_LIMIT) return;
      waiting.push(activity);
      running ??= loop.run(stop.signal);
      loop.wake();
    },
    flushed: () => flush().catch((error: unknown) => logger.warn({ error }, 'Activity was lost')),
    close: async () => {
      stop.abort();
      await running;
      await sending;
      await drop();
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
