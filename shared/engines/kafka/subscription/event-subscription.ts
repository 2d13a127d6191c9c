/**
 * A subscription to the events: a member of its consumer group while it is open, which reports its progress as a
 * position.
 */
import { createLoop } from '../../../kernel/concurrency/loop.js';
import { createSerialQueue } from '../../../kernel/concurrency/serial-queue.js';
import { DependencyError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Metrics } from '../../../kernel/metrics/metrics.js';
import type { JournalReader } from '../../../ports/journal.js';
import type { JournalIdentity } from '../../../ports/journal-identity.js';
import type { OutboxReader } from '../../../ports/outbox.js';
import type { EventSubscription, Subscription } from '../../../ports/stream.js';
import type { TopicRecords } from '../../../ports/topic-records.js';
import type { KafkaAdmin } from '../kafka-admin.js';
import type { KafkaConfig } from '../kafka-variables.js';
import { keepConsuming } from '../keep-consuming.js';
import { createTopicLog } from '../topic-log.js';
import { createTopicOffsets } from '../topic-offsets.js';
import { eventTopic, groupId } from '../topics.js';
import { waitUntil } from '../wait-until.js';
import { createEventAssignment, type EventAssignment } from './event-assignment.js';
import { completeThrough, createLowWatermark } from './low-watermark.js';

/**
 * A closing subscription lets its running batch finish; after this time the handler's signal asks the batch to stop.
 */
export const CLOSE_GRACE_MS = 5_000;
/**
 * How soon the position follows the handled events, and how soon a replaced topic is found when no records arrive from
 * it.
 */
const PROGRESS_MS = 500;
const PROGRESS_PACE = {
  idleMinimumMs: PROGRESS_MS,
  idleMaximumMs: PROGRESS_MS,
  failedMinimumMs: PROGRESS_MS,
  failedMaximumMs: 10_000,
};

/**
 * The positions of subscriptions follow `publishedThrough`, so that an event that has not arrived yet never counts as
 * handled.
 */
export type StreamOutbox = Pick<OutboxReader, 'publishedThrough' | 'unapplied'>;

export type EventSources = {
  readonly config: KafkaConfig;
  readonly admin: KafkaAdmin;
  readonly ensureTopics: () => Promise<void>;
  readonly journal: Pick<JournalReader, 'read' | 'head'>;
  readonly outbox: StreamOutbox;
  readonly topicRecords: TopicRecords;
  readonly identity?: Pick<JournalIdentity, 'id'> | undefined;
  readonly logger: Logger;
  readonly metrics?: Pick<Metrics, 'count'> | undefined;
};

export async function createEventSubscription({
  config,
  admin,
  ensureTopics,
  journal,
  outbox: { publishedThrough, unapplied },
  topicRecords,
  identity,
  ...rest
}: EventSources & {
  readonly subscription: EventSubscription;
}): Promise<Subscription> {
  const { subscription } = rest;
  const topic = eventTopic(config);
  const group = groupId(config, subscription.group);
  const logger = rest.logger.child({ group });
  const log = createTopicLog({ admin, topic, records: topicRecords, logger });
  const history = (await identity?.id()) ?? null;
  const offsets = createTopicOffsets({ admin, log, topic, groupId: group, history });
  const lowWatermark = createLowWatermark();
  const [stop, handlerAbort] = [new AbortController(), new AbortController()];
  let assignment: EventAssignment | null = null;
  let isPaused = false;
  let published = 0;

  await ensureTopics();
  const all = [...(await offsets.ranges()).keys()];
  lowWatermark.setPartitionCount(all.length);
  for (const [partition, { position }] of await offsets.checkpoints()) {
    lowWatermark.raise(partition, completeThrough(position));
  }

  const context = {
    topic,
    history,
    offsets,
    journal,
    unapplied,
    subscription,
    lowWatermark,
    logger,
    enqueue: createSerialQueue(),
    isPaused: () => isPaused,
    handlerSignal: handlerAbort.signal,
  };
  const member = keepConsuming({
    config,
    groupId: group,
    topic,
    ensureTopic: ensureTopics,
    logger,
    onJoin: () => rest.metrics?.count('palimpsest_kafka_joins_total', { consumer: 'events' }),
    createAssignment: (membership) => (assignment = createEventAssignment(context, membership)),
  });
  const progressLoop = createLoop({
    step: async () => {
      const through = await publishedThrough();
      published = through.position;
      await assignment?.checkProgress(through);
      return 'idle';
    },
    onFailure: (err, waitMs) => logger.warn({ err, waitMs }, 'progress check failed and is retried'),
    pace: PROGRESS_PACE,
  });
  const progressRunning = progressLoop.run(stop.signal);

  /**
   * True when the group has handled everything before these ends. A topic that was replaced meanwhile may end earlier.
   */
  async function isHandled(ends: ReadonlyMap<number, { readonly high: bigint }>): Promise<boolean> {
    const [checkpoints, ranges] = [await offsets.checkpoints(), await offsets.ranges()];
    return [...ends].every(([partition, { high }]) => {
      const [checkpoint, range] = [checkpoints.get(partition), ranges.get(partition)];
      if (!checkpoint?.isComplete || !range || checkpoint.generation !== range.generation) return false;
      return checkpoint.offset >= high || checkpoint.offset >= range.high;
    });
  }

  async function settled(): Promise<void> {
    const through = await publishedThrough();
    const ends = await offsets.ranges();
    const onFailure = (err: unknown): void => logger.debug({ err }, 'settled check failed and is retried');
    await waitUntil(() => isHandled(ends), { signal: stop.signal, onFailure });
    for (const partition of ends.keys()) lowWatermark.raise(partition, through);
    published = Math.max(published, through.position);
  }

  function position(): number {
    const used = lowWatermark.used(assignment?.partitions ?? all);
    // A member without a partition has handled all events of the stream that it is responsible for.
    return used.length === 0 ? published : lowWatermark.lowest(used).position;
  }

  return {
    position,
    settled,
    pause: () => {
      isPaused = true;
      assignment?.applyPause();
    },
    resume: () => {
      isPaused = false;
      assignment?.applyPause();
    },
    close: async () => {
      stop.abort(new DependencyError('stream', `The subscription of ${group} was closed before it had caught up`));
      const grace = setTimeout(() => handlerAbort.abort(stop.signal.reason), CLOSE_GRACE_MS);
      await member.close();
      clearTimeout(grace);
      await progressRunning;
    },
  };
}
