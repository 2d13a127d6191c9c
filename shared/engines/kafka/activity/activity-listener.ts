/**
 * Receives activity from now on, as one member of a group that shares it. The group commits no offsets, so activity is
 * lost while the group has no member. Kafka deletes an empty group without offsets soon
 * (`offsets.retention.check.interval.ms`, ten minutes).
 */
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { Activity } from '../../../contract/events.js';
import { withTimeoutSignal } from '../../../kernel/concurrency/abort-signals.js';
import { DependencyError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Metrics } from '../../../kernel/metrics/metrics.js';
import type { Subscription } from '../../../ports/stream.js';
import { fetchRanges } from '../fetch-ranges.js';
import { createFlowControl, type FlowControl } from '../flow-control.js';
import type { KafkaAdmin } from '../kafka-admin.js';
import type { KafkaConfig } from '../kafka-variables.js';
import { type Assignment, keepConsuming, type Membership } from '../keep-consuming.js';
import { activityTopic, groupId } from '../topics.js';
import { waitUntil } from '../wait-until.js';

/** When the group is not joined within this time, opening the listener fails. */
const JOIN_TIMEOUT_MS = 60_000;

/** Resolves once the listener receives activity. */
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
  readonly metrics?: Pick<Metrics, 'count'> | undefined;
  /** Ends the wait for the group. */
  readonly signal?: AbortSignal;
}): Promise<Subscription> {
  const topic = activityTopic(config);
  const group = groupId(config, rest.group);
  const logger = rest.logger.child({ group });
  const stop = new AbortController();
  /** The next offset of each assigned partition. */
  const nextOffsets = new Map<number, bigint>();
  let flow: FlowControl | null = null;
  let isPaused = false;
  let hasStarted = false;

  function createAssignment({ consumer, partitions, isCurrent, crash }: Membership): Assignment {
    const ownFlow = createFlowControl({ consumer, topic, partitions, isPaused: () => isPaused, crash });
    flow = ownFlow;
    nextOffsets.clear();
    return {
      start: async () => {
        const ranges = await fetchRanges(admin, topic);
        if (!isCurrent()) return;
        for (const partition of partitions) {
          const end = ranges.get(partition)?.high ?? 0n;
          consumer.seek({ topic, partition, offset: String(end) });
          nextOffsets.set(partition, end);
          ownFlow.enable(partition);
        }
        hasStarted = true;
      },
      handleBatch,
      stop: async () => ownFlow.close(),
    };
  }

  async function handleBatch({ batch, resolveOffset, isStale }: EachBatchPayload): Promise<void> {
    if (isStale() || isPaused) return;
    const activities = batch.messages.flatMap((record) => activitiesIn(record, logger));
    try {
      await handle(activities);
    } catch (err) {
      logger.warn({ err, lost: activities.length }, 'activity was lost: its listener failed');
    }
    resolveOffset(batch.lastOffset());
    nextOffsets.set(batch.partition, BigInt(batch.lastOffset()) + 1n);
  }

  const onFailure = (err: unknown): void => logger.debug({ err }, 'activity offsets check failed and is retried');
  await ensureTopics();
  const member = keepConsuming({
    config,
    topic,
    groupId: group,
    ensureTopic: ensureTopics,
    logger,
    onJoin: () => rest.metrics?.count('palimpsest_kafka_joins_total', { consumer: 'activity' }),
    createAssignment,
  });
  try {
    await withTimeoutSignal(JOIN_TIMEOUT_MS, [signal], (ended) =>
      waitUntil(async () => hasStarted, { signal: ended, onFailure }),
    );
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
      const ends = await fetchRanges(admin, topic);
      const hasReceivedAll = async (): Promise<boolean> =>
        [...nextOffsets].every(([partition, offset]) => offset >= (ends.get(partition)?.high ?? 0n));
      await waitUntil(hasReceivedAll, { signal: stop.signal, onFailure });
    },
    pause: () => {
      isPaused = true;
      flow?.applyPause();
    },
    resume: () => {
      isPaused = false;
      flow?.applyPause();
    },
    close: async () => {
      stop.abort(
        new DependencyError('stream', `The listener of ${group} was closed before it had received all activity`),
      );
      await member.close();
    },
  };
}

/** A record holds a list of activities. Any other record is skipped: activity may be lost. */
function activitiesIn({ value, offset }: KafkaMessage, logger: Logger): readonly Activity[] {
  try {
    const list: unknown = JSON.parse(value?.toString() ?? '');
    return Array.isArray(list) ? list.filter(isActivity) : [];
  } catch (err) {
    logger.warn({ err, offset }, 'record that holds no activity was skipped');
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
    (value.kind === 'recalled' || value.kind === 'reindex') &&
    'ids' in value &&
    Array.isArray(value.ids) &&
    value.ids.every((id) => typeof id === 'string')
  );
}
