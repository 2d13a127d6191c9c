/** Handles what Kafka delivers, slice by slice: the effect first, then the checkpoint behind it. What fails holds its own partition. */
import type { Consumer, EachBatchPayload } from 'kafkajs';
import { delayMs, failedOutcome, type Pace } from '../../kernel/backoff.js';
import { checkpointMetadata } from './checkpoint.js';
import type { Cursor, Cursors } from './create-cursors.js';
import type { Flow } from './create-flow.js';
import { heartbeatDuring } from './heartbeat-during.js';
import { readSlice, slicesOf, type Slice } from './read-batch.js';
import type { ShareContext } from './share-context.js';

const FAILED_PACE: Pace = { idleMinimumMs: 0, idleMaximumMs: 0, failedMinimumMs: 100, failedMaximumMs: 10_000 };

export type BatchHandler = (payload: EachBatchPayload) => Promise<void>;

export function createBatchHandler(
  context: ShareContext,
  {
    consumer,
    cursors,
    flow,
    heartbeatMs,
    ending,
    isCurrent,
  }: {
    readonly consumer: Consumer;
    readonly cursors: Cursors;
    readonly flow: Flow;
    readonly heartbeatMs: number;
    readonly ending: AbortSignal;
    /** False once the group has been dealt out anew: what is committed now counts for the next share. */
    readonly isCurrent: () => boolean;
  },
): BatchHandler {
  const { topic, offsets, subscription, lowWater, inTurn, isPaused, giveUp, logger } = context;

  async function handleBatch(payload: EachBatchPayload): Promise<void> {
    const { batch, heartbeat, isRunning, isStale } = payload;
    const cursor = cursors.of(batch.partition);
    const isWanted = (): boolean =>
      cursors.of(batch.partition) === cursor && isRunning() && !isStale() && !isPaused() && !ending.aborted;
    if (!cursor || !isWanted()) return;
    if (batch.firstOffset() !== String(cursor.offset) && !(await isGapEmpty(cursor))) return;
    for (const records of slicesOf(batch, subscription.batchSize)) {
      const slice = readSlice(records, logger);
      const work = async (): Promise<boolean> => isWanted() && (await advance(cursor, slice, payload));
      if (!(await heartbeatDuring({ heartbeat, everyMs: heartbeatMs, work: () => inTurn(work) }))) return;
    }
  }

  /** False when nothing more of this batch is to be handled. */
  async function advance(
    cursor: Cursor,
    slice: Slice,
    { commitOffsetsIfNecessary, resolveOffset }: EachBatchPayload,
  ): Promise<boolean> {
    if (!(await isHandled(cursor, slice)) || !isCurrent() || !(await isStillThere(cursor))) return false;
    const { partition } = cursor;
    const next = slice.lastOffset + 1n;
    const metadata = checkpointMetadata({ position: lowWater.at(partition, next), isComplete: true });
    const place = { partition, offset: String(next), metadata };
    // Not `consumer.commitOffsets`, which does nothing, and says nothing, once the consumer is stopping.
    await commitOffsetsIfNecessary({ topics: [{ topic, partitions: [place] }] });
    cursor.offset = next;
    lowWater.reached(partition, next);
    resolveOffset(String(slice.lastOffset));
    return true;
  }

  /** What fails comes again, with everything behind it in its partition, when the wait is over. */
  async function isHandled(cursor: Cursor, { events }: Slice): Promise<boolean> {
    const { partition, offset } = cursor;
    try {
      if (events.length > 0) await subscription.handle(events, giveUp);
      cursor.failures = 0;
      return true;
    } catch (error) {
      cursor.failures += 1;
      const waitMs = delayMs(FAILED_PACE, failedOutcome(error), { repeats: cursor.failures, random: Math.random() });
      logger.warn({ error, waitMs, partition, offset: String(offset) }, 'A batch of events failed and comes again');
      flow.hold(partition, waitMs);
      consumer.seek({ topic, partition, offset: String(offset) });
      return false;
    }
  }

  /**
   * With a topic Kafka deletes what was committed for it, so a checkpoint that is still ours says that the topic is the one it was, and
   * that its offsets mean what they did.
   */
  async function isStillThere({ partition, offset }: Cursor): Promise<boolean> {
    const checkpoints = await offsets.checkpoints();
    if (checkpoints.get(partition)?.offset === offset) return true;
    cursors.lookUpAgain(partition);
    return false;
  }

  /** Offsets may be missing because they were never records (marks of transactions), or because the records are gone. */
  async function isGapEmpty(cursor: Cursor): Promise<boolean> {
    if (!(await isStillThere(cursor))) return false;
    const range = (await offsets.ranges()).get(cursor.partition);
    if (range && range.low <= cursor.offset) return true;
    cursors.lookUpAgain(cursor.partition);
    return false;
  }

  return handleBatch;
}
