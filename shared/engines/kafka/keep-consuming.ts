/**
 * Keeps one member of a consumer group running: when its kafkajs consumer crashes, a new one is created, with backoff.
 * The restart of kafkajs itself is switched off, so a member always starts in one way: the topic exists, and every
 * offset is looked up again.
 */
import type { Consumer, EachBatchPayload } from 'kafkajs';
import { aborted } from '../../kernel/concurrency/abort-signals.js';
import { createLoop } from '../../kernel/concurrency/loop.js';
import { DependencyError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import { createKafkaClient, SHORT_RETRY } from './kafka-client.js';
import type { KafkaConfig } from './kafka-variables.js';
import { heartbeatMsOf } from './membership-times.js';
import { streamFailure } from './stream-failure.js';

/** A member has this long to finish its batch when the group rebalances; several times the duration of a batch. */
const REBALANCE_TIMEOUT_MS = 60_000;
/** New partitions of a topic are noticed after this long at most. */
export const METADATA_AGE_MS = 60_000;
/**
 * How long a broker may hold a fetch that finds no records, which costs both sides processor time. New events end the
 * wait; a rebalance does not.
 */
const MAX_WAIT_MS = 500;
const PACE = { idleMinimumMs: 100, idleMaximumMs: 100, failedMinimumMs: 200, failedMaximumMs: 10_000 };

/**
 * The work on the partitions that a member is assigned. Each rebalance creates a new one; the group rebalances when a
 * member joins or leaves.
 */
export type Assignment = {
  /** Called while all partitions are paused. A rejection ends the consumer. */
  readonly start: () => Promise<void>;
  readonly handleBatch: (payload: EachBatchPayload) => Promise<void>;
  /** Starts no further work, and waits for its work outside of `handleBatch`. */
  readonly stop: () => Promise<void>;
};

export type Membership = {
  readonly consumer: Consumer;
  readonly partitions: readonly number[];
  readonly heartbeatMs: number;
  /** False after the next rebalance: a commit then applies to the next assignment. */
  readonly isCurrent: () => boolean;
  /** Ends the consumer after a failure outside of `start` and `handleBatch`. */
  readonly crash: (error: unknown) => void;
};

export function keepConsuming({
  config,
  groupId,
  topic,
  ensureTopic,
  createAssignment,
  logger,
  onJoin = () => undefined,
}: {
  readonly config: KafkaConfig;
  readonly groupId: string;
  readonly topic: string;
  readonly ensureTopic: () => Promise<void>;
  readonly createAssignment: (membership: Membership) => Assignment;
  readonly logger: Logger;
  /** Called each time that the consumer has joined its group. */
  readonly onJoin?: () => void;
}): { readonly close: () => Promise<void> } {
  const stop = new AbortController();
  const stopped = aborted(stop.signal);
  const heartbeatMs = heartbeatMsOf(config);

  /**
   * Runs one consumer until it crashes or is stopped. Rejects when it fails before its first assignment has started.
   */
  async function runConsumer(): Promise<'idle'> {
    await ensureTopic();
    const consumer = createKafkaClient({ config, logger }).consumer({
      groupId,
      sessionTimeout: config.sessionTimeoutMs,
      heartbeatInterval: heartbeatMs,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      maxWaitTimeInMs: MAX_WAIT_MS,
      metadataMaxAge: METADATA_AGE_MS,
      allowAutoTopicCreation: false,
      retry: { ...SHORT_RETRY, restartOnFailure: async () => false },
    });
    const run = createRun(consumer);
    try {
      await run.untilStopped();
    } finally {
      await run.end();
    }
    return 'idle';
  }

  function createRun(consumer: Consumer) {
    let assignment: Assignment | null = null;
    let hasStarted = false;
    let crash: (error: unknown) => void = () => undefined;
    const crashed = new Promise<never>((_, reject) => (crash = reject));
    crashed.catch(() => undefined /* `untilStopped` reports a crash; a crash after the end does not matter */);

    consumer.on(consumer.events.CRASH, ({ payload }) => crash(payload.error));
    // kafkajs calls this before it fetches for the new assignment, so no record arrives from an offset that kafkajs
    // chose.
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      const partitions = payload.memberAssignment[topic] ?? [];
      onJoin();
      logger.info({ partitions, joinMs: payload.duration }, 'consumer joined its group');
      consumer.pause([{ topic, partitions }]);
      void assignment?.stop();
      const next = createAssignment({ consumer, partitions, heartbeatMs, crash, isCurrent: () => assignment === next });
      assignment = next;
      next.start().then(() => (hasStarted = true), crash);
    });

    return {
      untilStopped: async () => {
        await consumer.connect();
        await consumer.subscribe({ topic, fromBeginning: true });
        const handleBatch = async (payload: EachBatchPayload): Promise<void> => assignment?.handleBatch(payload);
        const joined = consumer.run({
          autoCommit: false,
          eachBatchAutoResolve: false,
          partitionsConsumedConcurrently: 1,
          eachBatch: handleBatch,
        });
        // The join is awaited also after a stop: when a member leaves while it joins, the others wait for it until its
        // session ends.
        await Promise.race([crashed, joined]);
        await Promise.race([crashed, stopped]).catch((error: unknown) => {
          if (!hasStarted) throw error;
          logger.warn({ err: streamFailure(error, 'keep a consumer') }, 'consumer crashed and is created again');
        });
      },
      end: async () => {
        await assignment?.stop();
        await consumer.disconnect();
      },
    };
  }

  const loop = createLoop({
    step: () =>
      runConsumer().catch((error: unknown) => Promise.reject(streamFailure(error, 'let a consumer join its group'))),
    onFailure: (err, waitMs) => logger.warn({ err, waitMs }, 'consumer start failed and is retried'),
    pace: PACE,
  });
  const running = loop.run(stop.signal);

  return {
    close: async () => {
      stop.abort(new DependencyError('stream', `The consumer of ${groupId} was closed`));
      await running;
    },
  };
}
