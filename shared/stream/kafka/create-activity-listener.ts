/**
 * Hears activity from now on, as one member of a group that shares it. Nothing is committed: what nobody heard is gone, and so is the group
 * soon after its last member, because Kafka forgets empty groups without offsets (`offsets.retention.check.interval.ms`, ten minutes).
 */
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { Activity } from '../../contract/events.js';
import { abortAfter } from '../../kernel/abort-after.js';
import { DependencyError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import type { Subscription } from '../stream.js';
import { createFlow, type Flow } from './create-flow.js';
import type { KafkaAdmin } from './create-kafka-admin.js';
import type { KafkaConfig } from './kafka-variables.js';
import { keepConsuming, type Membership, type Share } from './keep-consuming.js';
import { createTopicOffsets } from './topic-offsets.js';
import { activityTopic, groupId } from './topics.js';
import { waitUntil } from './wait-until.js';

/** The group is joined within this time, or the listener is not opened. */
const JOIN_TIMEOUT_MS = 60_000;

/** Resolves once it listens. */
export async function createActivityListener({
  config,
  admin,
  ensureTopics,
  handle,
  signal,
  ...rest
}: {
  readonly config: KafkaConfig;
  readonly admin: KafkaAdmin;
  readonly ensureTopics: () => Promise<void>;
  readonly group: string;
  readonly handle: (activities: readonly Activity[]) => Promise<void>;
  readonly logger: Logger;
  /** Ends the wait for the group. */
  readonly signal?: AbortSignal;
}): Promise<Subscription> {
  const topic = activityTopic(config);
  const group = groupId(config, rest.group);
  const logger = rest.logger.child({ group });
  const offsets = createTopicOffsets({ admin, topic, groupId: group });
  const stop = new AbortController();
  /** The next offset of each partition of the share. */
  const heard = new Map<number, bigint>();
  let flow: Flow | null = null;
  let isPaused = false;
  let hasBegun = false;

  function takeShare({ consumer, partitions, isCurrent, crash }: Membership): Share {
    const own = createFlow({ consumer, topic, partitions, isPaused: () => isPaused, crash });
    flow = own;
    heard.clear();
    return {
      begin: async () => {
        const ranges = await offsets.ranges();
        if (!isCurrent()) return;
        for (const partition of partitions) {
          const end = ranges.get(partition)?.high ?? 0n;
          consumer.seek({ topic, partition, offset: String(end) });
          heard.set(partition, end);
          own.open(partition);
        }
        hasBegun = true;
      },
      handleBatch: hear,
      end: async () => own.close(),
    };
  }

  async function hear({ batch, resolveOffset, isStale }: EachBatchPayload): Promise<void> {
    if (isStale() || isPaused) return;
    const activities = batch.messages.flatMap((record) => activitiesIn(record, logger));
    try {
      await handle(activities);
    } catch (error) {
      logger.warn({ error, lost: activities.length }, 'Activity was lost: its listener failed');
    }
    resolveOffset(batch.lastOffset());
    heard.set(batch.partition, BigInt(batch.lastOffset()) + 1n);
  }

  const onFailure = (error: unknown): void =>
    logger.debug({ error }, 'What a listener waits for could not be learnt; it is tried again');
  await ensureTopics();
  const member = keepConsuming({ config, topic, groupId: group, ensureTopic: ensureTopics, logger, takeShare });
  try {
    await waitUntil(async () => hasBegun, { signal: abortAfter(JOIN_TIMEOUT_MS, signal), onFailure });
  } catch (error) {
    await member.close();
    throw new DependencyError(
      'stream',
      `The group ${group} was not joined within ${JOIN_TIMEOUT_MS} ms: look for warnings before this one`,
      { cause: error },
    );
  }
  return {
    position: () => 0,
    settled: async () => {
      const ends = await offsets.ranges();
      const hasHeardAll = async (): Promise<boolean> =>
        [...heard].every(([partition, offset]) => offset >= (ends.get(partition)?.high ?? 0n));
      await waitUntil(hasHeardAll, { signal: stop.signal, onFailure });
    },
    pause: () => {
      isPaused = true;
      flow?.update();
    },
    resume: () => {
      isPaused = false;
      flow?.update();
    },
    close: async () => {
      stop.abort(new DependencyError('stream', `The listener of ${group} was closed before it had heard everything`));
      await member.close();
    },
  };
}

/** A record holds a list of activities; what is none says nothing, and is lost as activity may be. */
function activitiesIn({ value, offset }: KafkaMessage, logger: Logger): readonly Activity[] {
  try {
    const list: unknown = JSON.parse(value?.toString() ?? '');
    return Array.isArray(list) ? list.filter(isActivity) : [];
  } catch (error) {
    logger.warn({ error, offset }, 'A record that is no activity was skipped');
    return [];
  }
}

function isActivity(value: unknown): value is Activity {
  if (
    typeof value !== 'object' ||
    value === null ||
    !('kind' in value && 'at' in value) ||
    typeof value.at !== 'string'
  )
    return false;
  if (value.kind === 'watched')
    return (
      'type' in value &&
      typeof value.type === 'string' &&
      'data' in value &&
      typeof value.data === 'object' &&
      value.data !== null
    );
  return (
    value.kind === 'recalled' &&
    'ids' in value &&
    Array.isArray(value.ids) &&
    value.ids.every((id) => typeof id === 'string')
  );
}
