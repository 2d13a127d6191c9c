/** A subscription to the events: a member of its consumer group for as long as it is open, and what it can tell of its progress. */
import type { JournalReader } from '../../journal/journal.js';
import { DependencyError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import { createLoop } from '../../kernel/loop.js';
import type { EventSubscription, Subscription } from '../stream.js';
import { createEventShare, type EventShare } from './create-event-share.js';
import type { KafkaAdmin } from './create-kafka-admin.js';
import { createLowWater } from './create-low-water.js';
import { createTurns } from './create-turns.js';
import type { KafkaConfig } from './kafka-variables.js';
import { keepConsuming } from './keep-consuming.js';
import { createTopicOffsets } from './topic-offsets.js';
import { eventTopic, groupId } from './topics.js';
import { waitUntil } from './wait-until.js';

/** A closing subscription lets its running batch finish; after this the handler's signal asks it to give up. */
export const CLOSE_GRACE_MS = 5_000;
/** How soon a position follows what was handled, and a topic that was replaced is found although nothing comes from it. */
const LOOK_MS = 500;
const LOOK_PACE = { idleMinimumMs: LOOK_MS, idleMaximumMs: LOOK_MS, failedMinimumMs: LOOK_MS, failedMaximumMs: 10_000 };

export type EventSources = {
  readonly config: KafkaConfig;
  readonly admin: KafkaAdmin;
  readonly ensureTopics: () => Promise<void>;
  readonly journal: Pick<JournalReader, 'read' | 'head'>;
  /** Every event of the journal at or below this position is in the stream. */
  readonly publishedThrough: () => Promise<number>;
  readonly logger: Logger;
};

export async function createEventSubscription({
  config,
  admin,
  ensureTopics,
  journal,
  publishedThrough,
  ...rest
}: EventSources & {
  readonly subscription: EventSubscription;
}): Promise<Subscription> {
  const { subscription } = rest;
  const topic = eventTopic(config);
  const group = groupId(config, subscription.group);
  const logger = rest.logger.child({ group });
  const offsets = createTopicOffsets({ admin, topic, groupId: group });
  const lowWater = createLowWater();
  const [stop, giveUp] = [new AbortController(), new AbortController()];
  let share: EventShare | null = null;
  let isPaused = false;
  let published = 0;

  await ensureTopics();
  const all = [...(await offsets.ranges()).keys()];
  lowWater.sharedOutOver(all.length);
  for (const [partition, { position }] of await offsets.checkpoints()) lowWater.raise(partition, position);

  const context = {
    topic,
    offsets,
    journal,
    subscription,
    lowWater,
    logger,
    inTurn: createTurns(),
    isPaused: () => isPaused,
    giveUp: giveUp.signal,
  };
  const member = keepConsuming({
    config,
    groupId: group,
    topic,
    ensureTopic: ensureTopics,
    logger,
    takeShare: (membership) => (share = createEventShare(context, membership)),
  });
  const watch = createLoop({
    step: async () => {
      published = await publishedThrough();
      await share?.look(published);
      return 'idle';
    },
    onFailure: (error, waitMs) =>
      logger.warn({ error, waitMs }, 'How far the events are handled could not be learnt; it is tried again'),
    pace: LOOK_PACE,
  });
  const watching = watch.run(stop.signal);

  /** Whether the group has handled what lay before these ends. A topic that was replaced meanwhile ends earlier. */
  async function isHandled(ends: ReadonlyMap<number, { readonly high: bigint }>): Promise<boolean> {
    const [checkpoints, ranges] = [await offsets.checkpoints(), await offsets.ranges()];
    return [...ends].every(([partition, { high }]) => {
      const [checkpoint, range] = [checkpoints.get(partition), ranges.get(partition)];
      return checkpoint?.isComplete && range && (checkpoint.offset >= high || checkpoint.offset >= range.high);
    });
  }

  async function settled(): Promise<void> {
    const through = await publishedThrough();
    const ends = await offsets.ranges();
    const onFailure = (error: unknown): void =>
      logger.debug({ error }, 'Whether everything is handled could not be learnt; it is tried again');
    await waitUntil(() => isHandled(ends), { signal: stop.signal, onFailure });
    for (const partition of ends.keys()) lowWater.raise(partition, through);
    published = Math.max(published, through);
  }

  return {
    // A member without a partition has nothing left to do for what is in the stream.
    position: () => (share?.partitions.length === 0 ? published : lowWater.lowest(share?.partitions ?? all)),
    settled,
    pause: () => {
      isPaused = true;
      share?.update();
    },
    resume: () => {
      isPaused = false;
      share?.update();
    },
    close: async () => {
      stop.abort(new DependencyError('stream', `The subscription of ${group} was closed before it had caught up`));
      const grace = setTimeout(() => giveUp.abort(stop.signal.reason), CLOSE_GRACE_MS);
      await member.close();
      clearTimeout(grace);
      await watching;
    },
  };
}
