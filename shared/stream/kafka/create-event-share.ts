/**
 * One member's share of the events. Each partition is looked up before it flows: where Kafka still holds what comes next it goes on from
 * there, and otherwise the journal is read first. A partition that turns out to be another one than before is looked up again.
 */
import type { EachBatchPayload } from 'kafkajs';
import { delayMs, failedOutcome, type Pace } from '../../kernel/backoff.js';
import { checkpointMetadata, type Checkpoint } from './checkpoint.js';
import { createFlow } from './create-flow.js';
import { heartbeatDuring } from './heartbeat-during.js';
import type { Membership, Share } from './keep-consuming.js';
import { readSlice, slicesOf, type Slice } from './read-batch.js';
import { recoverFromJournal } from './recover-from-journal.js';
import type { ShareContext } from './share-context.js';
import type { OffsetRange } from './topic-offsets.js';

const FAILED_PACE: Pace = { idleMinimumMs: 0, idleMaximumMs: 0, failedMinimumMs: 100, failedMaximumMs: 10_000 };

export type EventShare = Share & {
  readonly partitions: readonly number[];
  /** Everything at or below `published` is in the stream: learns how far that is handled, and finds what Kafka has lost. */
  readonly look: (published: number) => Promise<void>;
  /** After somebody paused or resumed. */
  readonly update: () => void;
};

/** A partition that flows: the offset that comes next, at which its checkpoint stands. */
type Cursor = { readonly partition: number; offset: bigint; failures: number };

export function createEventShare(context: ShareContext, { consumer, partitions, heartbeatMs, isCurrent, crash }: Membership): EventShare {
  const { topic, offsets, subscription, lowWater, inTurn, isPaused, giveUp, logger } = context;
  const ending = new AbortController();
  const flow = createFlow({ consumer, topic, partitions, isPaused, crash });
  const cursors = new Map<number, Cursor>();
  const lookups = new Set<Promise<void>>();

  function lookUp(them: readonly number[]): Promise<void> {
    for (const partition of them) {
      cursors.delete(partition);
      flow.shut(partition);
      lowWater.unmark(partition);
    }
    const lookup = findPlaces(them);
    lookups.add(lookup);
    return lookup.finally(() => lookups.delete(lookup));
  }

  async function findPlaces(them: readonly number[]): Promise<void> {
    // In this order: what was committed lies within what is there afterwards, unless the topic became another one in between.
    const checkpoints = await offsets.checkpoints();
    const ranges = await offsets.ranges();
    lowWater.sharedOutOver(ranges.size);
    const ends = new Map<number, bigint>();
    for (const partition of them) {
      const checkpoint = checkpoints.get(partition);
      const range = ranges.get(partition);
      lowWater.raise(partition, checkpoint?.position ?? 0);
      if (checkpoint && isWithin(checkpoint, range)) goOn(partition, checkpoint.offset);
      else ends.set(partition, range?.high ?? 0n);
    }
    if (ends.size === 0 || ending.signal.aborted) return;
    const outcome = await recoverFromJournal(context, { consumer, ends, count: ranges.size, signal: ending.signal });
    if (outcome === 'elsewhere') await lookUp([...ends.keys()]);
    if (outcome === 'recovered') for (const [partition, end] of ends) goOn(partition, end);
  }

  function goOn(partition: number, offset: bigint): void {
    if (ending.signal.aborted) return;
    consumer.seek({ topic, partition, offset: String(offset) });
    cursors.set(partition, { partition, offset, failures: 0 });
    flow.open(partition);
  }

  function lookUpAgain(partition: number, reason: string): void {
    logger.warn({ partition, position: lowWater.of(partition) }, reason);
    lookUp([partition]).catch(crash);
  }

  async function handleBatch({ batch, heartbeat, resolveOffset, isRunning, isStale, commitOffsetsIfNecessary }: EachBatchPayload): Promise<void> {
    const cursor = cursors.get(batch.partition);
    const isWanted = (): boolean => cursors.get(batch.partition) === cursor && isRunning() && !isStale() && !isPaused() && !ending.signal.aborted;
    if (!cursor || !isWanted()) return;
    if (batch.firstOffset() !== String(cursor.offset)) return lookUpAgain(cursor.partition, 'Kafka passed over records: they are read from the journal');

    /** False when nothing more of this batch is to be handled. */
    async function advance(slice: Slice): Promise<boolean> {
      if (!cursor || !isWanted() || !(await handled(cursor, slice)) || !isCurrent() || !(await isStillThere(cursor))) return false;
      const next = slice.lastOffset + 1n;
      const metadata = checkpointMetadata({ position: lowWater.at(cursor.partition, next), isComplete: true });
      const place = { partition: cursor.partition, offset: String(next), metadata };
      // Not `consumer.commitOffsets`, which does nothing, and says nothing, once the consumer is stopping.
      await commitOffsetsIfNecessary({ topics: [{ topic, partitions: [place] }] });
      cursor.offset = next;
      lowWater.reached(cursor.partition, next);
      resolveOffset(String(slice.lastOffset));
      return true;
    }

    for (const records of slicesOf(batch, subscription.batchSize)) {
      const slice = readSlice(records, logger);
      if (!(await heartbeatDuring({ heartbeat, everyMs: heartbeatMs, work: () => inTurn(() => advance(slice)) }))) return;
    }
  }

  /** What fails holds its own partition, and comes again with everything behind it. */
  async function handled(cursor: Cursor, { events }: Slice): Promise<boolean> {
    try {
      if (events.length > 0) await subscription.handle(events, giveUp);
      cursor.failures = 0;
      return true;
    } catch (error) {
      cursor.failures += 1;
      const waitMs = delayMs(FAILED_PACE, failedOutcome(error), { repeats: cursor.failures, random: Math.random() });
      logger.warn({ error, waitMs, partition: cursor.partition, offset: String(cursor.offset) }, 'A batch of events failed and comes again');
      flow.hold(cursor.partition, waitMs);
      consumer.seek({ topic, partition: cursor.partition, offset: String(cursor.offset) });
      return false;
    }
  }

  /** With a topic Kafka deletes what was committed for it, so a checkpoint that is still there says that the topic is, too. */
  async function isStillThere({ partition, offset }: Cursor): Promise<boolean> {
    const checkpoints = await offsets.checkpoints();
    if (checkpoints.get(partition)?.offset === offset) return true;
    lookUpAgain(partition, 'The checkpoint of a partition is gone: what was not handled is read from the journal');
    return false;
  }

  async function look(published: number): Promise<void> {
    if (ending.signal.aborted || [...cursors.keys()].every((partition) => lowWater.of(partition) >= published)) return;
    const checkpoints = await offsets.checkpoints();
    const ranges = await offsets.ranges();
    for (const { partition, offset } of cursors.values()) {
      const [checkpoint, range] = [checkpoints.get(partition), ranges.get(partition)];
      if (checkpoint?.offset !== offset || !isWithin(checkpoint, range)) {
        lookUpAgain(partition, 'Kafka no longer holds what comes next: it is read from the journal');
      } else if (range) {
        lowWater.mark(partition, { offset: range.high, position: published });
        lowWater.reached(partition, offset);
      }
    }
  }

  return {
    partitions,
    begin: () => lookUp(partitions),
    handleBatch,
    // In turn, so that no batch moves a checkpoint between the questions.
    look: (published) => inTurn(() => look(published)),
    update: flow.update,
    end: async () => {
      ending.abort();
      flow.close();
      await Promise.allSettled(lookups);
    },
  };
}

function isWithin({ offset, isComplete }: Checkpoint, range: OffsetRange | undefined): boolean {
  return isComplete && range !== undefined && range.low <= offset && offset <= range.high;
}
