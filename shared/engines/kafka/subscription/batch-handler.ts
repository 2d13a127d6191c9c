/**
 * Handles the records that Kafka delivers, slice by slice: first the effect, then the checkpoint behind it. A failed
 * batch pauses its own partition only.
 */
import type { Batch, Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { RecordedEvent } from '../../../contract/events.js';
import { delayMs, failedOutcome, type Pace } from '../../../kernel/concurrency/backoff.js';
import { PoisonError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import { checkpointMetadata } from '../checkpoint.js';
import { fromCloudEvent } from '../cloud-event.js';
import type { FlowControl } from '../flow-control.js';
import { provesLoss } from '../known-end.js';
import type { AssignmentContext } from './assignment-context.js';
import type { Cursor, Cursors } from './cursors.js';

const FAILED_PACE: Pace = { idleMinimumMs: 0, idleMaximumMs: 0, failedMinimumMs: 100, failedMaximumMs: 10_000 };

export type BatchHandler = (payload: EachBatchPayload) => Promise<void>;

export function createBatchHandler(
  context: AssignmentContext,
  {
    consumer,
    cursors,
    flow,
    heartbeatMs,
    stopSignal,
    isCurrent,
  }: {
    readonly consumer: Consumer;
    readonly cursors: Cursors;
    readonly flow: FlowControl;
    readonly heartbeatMs: number;
    readonly stopSignal: AbortSignal;
    /** False after the next rebalance: a commit then applies to the next assignment. */
    readonly isCurrent: () => boolean;
  },
): BatchHandler {
  const { topic, offsets, subscription, lowWatermark, enqueue, isPaused, handlerSignal, logger } = context;

  async function handleBatch(payload: EachBatchPayload): Promise<void> {
    const { batch, heartbeat, isRunning, isStale } = payload;
    const cursor = cursors.of(batch.partition);
    const isActive = (): boolean =>
      cursors.of(batch.partition) === cursor && isRunning() && !isStale() && !isPaused() && !stopSignal.aborted;
    if (!cursor || !isActive()) return;
    if (batch.firstOffset() !== String(cursor.offset) && !(await isGapEmpty(cursor))) return;
    for (const records of slicesOf(batch, subscription.batchSize)) {
      if (!(await isLogWhole(cursor, records))) return;
      const slice = readSlice(records, logger);
      const work = async (): Promise<boolean> => isActive() && (await advance(cursor, slice, payload));
      if (!(await heartbeatDuring({ heartbeat, everyMs: heartbeatMs, work: () => enqueue(work) }))) return;
    }
  }

  /** Handles the slice and commits its checkpoint. False when the rest of the batch must not be handled. */
  async function advance(
    cursor: Cursor,
    slice: Slice,
    { commitOffsetsIfNecessary, resolveOffset }: EachBatchPayload,
  ): Promise<boolean> {
    if (!(await isHandled(cursor, slice)) || !isCurrent() || !(await isCheckpointCurrent(cursor))) return false;
    const { partition } = cursor;
    const next = slice.lastOffset + 1n;
    const { complete: position } = lowWatermark.at(partition, next);
    const metadata = checkpointMetadata({ position, generation: cursor.generation, isComplete: true }, context.history);
    const partitionOffset = { partition, offset: String(next), metadata };
    // Not `consumer.commitOffsets`: once the consumer is stopping, it commits nothing and reports no error.
    await commitOffsetsIfNecessary({ topics: [{ topic, partitions: [partitionOffset] }] });
    cursor.offset = next;
    lowWatermark.handledUpTo(partition, next);
    resolveOffset(String(slice.lastOffset));
    return true;
  }

  /**
   * False after a failure: the slice and all records behind it in its partition are delivered again when the wait is
   * over.
   */
  async function isHandled(cursor: Cursor, { events }: Slice): Promise<boolean> {
    const { partition, offset } = cursor;
    try {
      if (events.length > 0) await subscription.handle(events, handlerSignal);
      cursor.failures = 0;
      return true;
    } catch (err) {
      cursor.failures += 1;
      const waitMs = delayMs(FAILED_PACE, failedOutcome(err), { repeats: cursor.failures, random: Math.random() });
      logger.warn({ err, waitMs, partition, offset: String(offset) }, 'batch of events failed and is retried');
      flow.pauseFor(partition, waitMs);
      consumer.seek({ topic, partition, offset: String(offset) });
      return false;
    }
  }

  /**
   * When a topic is deleted, Kafka deletes its committed offsets too. So a checkpoint that is still ours proves that
   * the topic is the same one, and that its offsets mean the same.
   */
  async function isCheckpointCurrent({ partition, offset }: Cursor): Promise<boolean> {
    const checkpoints = await offsets.checkpoints();
    if (checkpoints.get(partition)?.offset === offset) return true;
    cursors.lookUpAgain(partition);
    return false;
  }

  /**
   * False when Kafka lost records before these: they may lie at offsets of lost ones. Until the relay has noticed the
   * loss, its records say so themselves; afterwards another generation is current.
   */
  async function isLogWhole(cursor: Cursor, records: readonly KafkaMessage[]): Promise<boolean> {
    const isLossProven = records.some(provesLoss);
    if (isLossProven) await offsets.reportLoss(cursor.generation);
    else if ((await offsets.generation()) === cursor.generation) return true;
    if (cursors.of(cursor.partition) === cursor) cursors.lookUpAgain(cursor.partition);
    return false;
  }

  /**
   * Offsets are missing for two reasons: they never were records (markers of transactions), or Kafka has deleted the
   * records.
   */
  async function isGapEmpty(cursor: Cursor): Promise<boolean> {
    if (!(await isCheckpointCurrent(cursor))) return false;
    const range = (await offsets.ranges()).get(cursor.partition);
    if (range && range.low <= cursor.offset) return true;
    cursors.lookUpAgain(cursor.partition);
    return false;
  }

  return handleBatch;
}

/**
 * Keeps a member in its group while its work takes longer than the time between two fetches. A rejected heartbeat is
 * thrown after the work, so that kafkajs joins the group again: the rejection means that the group rebalances, and the
 * work with its commit comes first.
 */
async function heartbeatDuring<T>({
  heartbeat,
  everyMs,
  work,
}: {
  readonly heartbeat: () => Promise<void>;
  readonly everyMs: number;
  readonly work: () => Promise<T>;
}): Promise<T> {
  const rejections: unknown[] = [];
  const timer = setInterval(() => void heartbeat().catch((error: unknown) => rejections.push(error)), everyMs);
  try {
    const result = await work();
    if (rejections.length > 0) throw rejections[0];
    return result;
  } finally {
    clearInterval(timer);
  }
}

type Slice = {
  readonly events: readonly RecordedEvent[];
  readonly lastOffset: bigint;
};

/**
 * Turns the records of a Kafka batch into events, in slices of the size that the subscription asked for. Skips records
 * that are not events, and logs an error. Our relay writes readable records only, so an unreadable one comes from
 * another program. It would block its partition forever, and skipping it loses no event of ours.
 */
function readSlice(records: readonly KafkaMessage[], logger: Logger): Slice {
  const events: RecordedEvent[] = [];
  const foreign: { readonly offset: string; readonly problem: string }[] = [];
  for (const { value, offset } of records) {
    try {
      events.push(fromCloudEvent(value?.toString() ?? ''));
    } catch (error) {
      if (!(error instanceof PoisonError)) throw error;
      foreign.push({ offset, problem: error.message });
    }
  }
  if (foreign.length > 0) {
    logger.error(
      { skipped: foreign.length, first: foreign[0] },
      'records that are not our events were skipped: find the other program that writes to this topic',
    );
  }
  return { events, lastOffset: BigInt(records.at(-1)?.offset ?? -1) };
}

function slicesOf({ messages }: Pick<Batch, 'messages'>, size: number): readonly (readonly KafkaMessage[])[] {
  return Array.from({ length: Math.ceil(messages.length / size) }, (_, index) =>
    messages.slice(index * size, (index + 1) * size),
  );
}
