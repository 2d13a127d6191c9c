/**
 * The next offset of each assigned partition. A partition is looked up before records are fetched from it: where Kafka still holds the next
 * event, fetching starts there; otherwise the journal is read first. When the topic was replaced, the partition is looked up again.
 */
import type { Consumer } from 'kafkajs';
import type { Checkpoint } from '../checkpoint.js';
import type { FlowControl } from '../flow-control.js';
import type { OffsetRange } from '../topic-offsets.js';
import type { AssignmentContext } from './assignment-context.js';
import { recoverFromJournal } from './recover-from-journal.js';

/** A partition that records are fetched from, with its next offset, which is also the offset of its checkpoint. */
export type Cursor = { readonly partition: number; offset: bigint; failures: number };

export interface Cursors {
  /** Undefined while the partition is looked up. */
  of(partition: number): Cursor | undefined;
  all(): readonly Cursor[];
  lookUp(partitions: readonly number[]): Promise<void>;
  /** For a partition that records were fetched from until now. */
  lookUpAgain(partition: number): void;
  /** Resolves when no lookup is running any more. The caller aborts `stopSignal` first. */
  settled(): Promise<void>;
}

export function createCursors(
  context: AssignmentContext,
  {
    consumer,
    flow,
    stopSignal,
    crash,
  }: {
    readonly consumer: Consumer;
    readonly flow: FlowControl;
    readonly stopSignal: AbortSignal;
    readonly crash: (error: unknown) => void;
  },
): Cursors {
  const { topic, offsets, lowWatermark, logger } = context;
  const cursors = new Map<number, Cursor>();
  const lookups = new Set<Promise<void>>();

  function lookUp(partitions: readonly number[]): Promise<void> {
    for (const partition of partitions) {
      cursors.delete(partition);
      flow.disable(partition);
      lowWatermark.unmark(partition);
    }
    const lookup = locate(partitions);
    lookups.add(lookup);
    return lookup.finally(() => lookups.delete(lookup));
  }

  async function locate(partitions: readonly number[]): Promise<void> {
    // In this order: a committed offset lies within the ranges that are read afterwards, unless the topic was replaced in between.
    const checkpoints = await offsets.checkpoints();
    const ranges = await offsets.ranges();
    lowWatermark.setPartitionCount(ranges.size);
    const ends = new Map<number, bigint>();
    for (const partition of partitions) {
      const checkpoint = checkpoints.get(partition);
      const range = ranges.get(partition);
      lowWatermark.raise(partition, checkpoint?.position ?? 0);
      if (checkpoint && isInRange(checkpoint, range)) fetchFrom(partition, checkpoint.offset);
      else ends.set(partition, range?.high ?? 0n);
    }
    if (ends.size === 0 || stopSignal.aborted) return;
    const outcome = await recoverFromJournal(context, { consumer, ends, count: ranges.size, signal: stopSignal });
    if (outcome === 'topic-replaced') await lookUp([...ends.keys()]);
    if (outcome === 'recovered') for (const [partition, end] of ends) fetchFrom(partition, end);
  }

  function fetchFrom(partition: number, offset: bigint): void {
    if (stopSignal.aborted) return;
    consumer.seek({ topic, partition, offset: String(offset) });
    cursors.set(partition, { partition, offset, failures: 0 });
    flow.enable(partition);
  }

  return {
    of: (partition) => cursors.get(partition),
    all: () => [...cursors.values()],
    lookUp,
    lookUpAgain: (partition) => {
      logger.warn(
        { partition, position: lowWatermark.of(partition) },
        'Kafka no longer holds the next events of a partition: it is looked up again',
      );
      lookUp([partition]).catch(crash);
    },
    settled: async () => {
      await Promise.allSettled(lookups);
    },
  };
}

export function isInRange({ offset, isComplete }: Checkpoint, range: OffsetRange | undefined): boolean {
  return isComplete && range !== undefined && range.low <= offset && offset <= range.high;
}
