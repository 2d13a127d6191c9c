/**
 * Keeps one member of a consumer group alive: a kafkajs consumer that is made anew, with back-off, whenever it crashes. kafkajs' own
 * restart is switched off, so that there is one way in which a member starts, with the topic there and every offset looked up again.
 */
import type { Consumer, EachBatchPayload } from 'kafkajs';
import { DependencyError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import { createLoop } from '../../kernel/loop.js';
import { createKafka, SHORT_RETRY } from './create-kafka.js';
import type { KafkaConfig } from './kafka-variables.js';
import { heartbeatMsOf } from './membership-times.js';
import { streamFailure } from './stream-failure.js';

/** A member has this long to finish its batch when the group is shared out anew; several times what a batch may take. */
const REBALANCE_TIMEOUT_MS = 60_000;
/** New partitions of a topic are noticed after this long at most. */
export const METADATA_AGE_MS = 60_000;
const PACE = { idleMinimumMs: 100, idleMaximumMs: 100, failedMinimumMs: 200, failedMaximumMs: 10_000 };

/** What a member does with its share. A new one for every share: the partitions of the group are dealt out anew whenever a member comes or goes. */
export type Share = {
  /** Called with all partitions paused. A rejection ends this life of the member. */
  readonly begin: () => Promise<void>;
  readonly handleBatch: (payload: EachBatchPayload) => Promise<void>;
  /** Begins nothing more and waits for what it does outside of `handleBatch`. */
  readonly end: () => Promise<void>;
};

export type Membership = {
  readonly consumer: Consumer;
  readonly partitions: readonly number[];
  readonly heartbeatMs: number;
  /** False once the group has been dealt out anew: what is committed now counts for the next share. */
  readonly isCurrent: () => boolean;
  /** Ends this life of the member, for what goes wrong outside of `begin` and `handleBatch`. */
  readonly crash: (error: unknown) => void;
};

export function keepConsuming({
  config,
  groupId,
  topic,
  ensureTopic,
  takeShare,
  logger,
}: {
  readonly config: KafkaConfig;
  readonly groupId: string;
  readonly topic: string;
  readonly ensureTopic: () => Promise<void>;
  readonly takeShare: (membership: Membership) => Share;
  readonly logger: Logger;
}): { readonly close: () => Promise<void> } {
  const stop = new AbortController();
  const stopped = aborted(stop.signal);
  const heartbeatMs = heartbeatMsOf(config);

  /** One life: from joining to a crash, or to the end. Rejects when it did not even begin. */
  async function live(): Promise<'idle'> {
    await ensureTopic();
    const consumer = createKafka({ config, logger }).consumer({
      groupId,
      sessionTimeout: config.sessionTimeoutMs,
      heartbeatInterval: heartbeatMs,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      maxWaitTimeInMs: config.maxWaitMs,
      metadataMaxAge: METADATA_AGE_MS,
      allowAutoTopicCreation: false,
      retry: { ...SHORT_RETRY, restartOnFailure: async () => false },
    });
    const life = createLife(consumer);
    try {
      await life.run();
    } finally {
      await life.end();
    }
    return 'idle';
  }

  function createLife(consumer: Consumer) {
    let share: Share | null = null;
    let hasBegun = false;
    let crash: (error: unknown) => void = () => undefined;
    const crashed = new Promise<never>((_, reject) => (crash = reject));
    crashed.catch(() => undefined /* a crash while it joins, or ends, is told by `run` or of no interest */);

    consumer.on(consumer.events.CRASH, ({ payload }) => crash(payload.error));
    // kafkajs calls this before it fetches for the new share, so nothing arrives from an offset of its own choice.
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      const partitions = payload.memberAssignment[topic] ?? [];
      logger.info({ partitions, joinMs: payload.duration }, 'A consumer has joined its group');
      consumer.pause([{ topic, partitions }]);
      void share?.end();
      const next = takeShare({ consumer, partitions, heartbeatMs, crash, isCurrent: () => share === next });
      share = next;
      next.begin().then(() => (hasBegun = true), crash);
    });

    return {
      run: async () => {
        await consumer.connect();
        await consumer.subscribe({ topic, fromBeginning: true });
        const handleBatch = async (payload: EachBatchPayload): Promise<void> => share?.handleBatch(payload);
        const joined = consumer.run({
          autoCommit: false,
          eachBatchAutoResolve: false,
          partitionsConsumedConcurrently: 1,
          eachBatch: handleBatch,
        });
        // Also when it is to stop: a member that goes while it joins is waited for by the others until its session ends.
        await Promise.race([crashed, joined]);
        await Promise.race([crashed, stopped]).catch((error: unknown) => {
          if (!hasBegun) throw error;
          logger.warn({ error: streamFailure(error, 'keep a consumer') }, 'A consumer crashed and is made anew');
        });
      },
      end: async () => {
        await share?.end();
        await consumer.disconnect();
      },
    };
  }

  const loop = createLoop({
    step: () => live().catch((error: unknown) => Promise.reject(streamFailure(error, 'let a consumer join its group'))),
    onFailure: (error, waitMs) => logger.warn({ error, waitMs }, 'A consumer could not start; it is tried again'),
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

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
