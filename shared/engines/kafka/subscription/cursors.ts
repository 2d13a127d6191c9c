/**
 * The next offset of each assigned partition. A partition is looked up before records are fetched from it: where Kafka
 * still holds the next event, fetching starts there; otherwise the journal is read first. When the topic was replaced,
 * the partition is looked up again.
 */
import type { Consumer } from 'kafkajs';
import type { Checkpoint } from '../checkpoint.js';
import type { FlowControl } from '../flow-control.js';
import type { PartitionRange } from '../topic-offsets.js';
import type { AssignmentContext } from './assignment-context.js';
import { completeThrough } from './low-watermark.js';
import { recoverFromJournal } from './recover-from-journal.js';

/** A partition that records are fetched from, with its next offset, which is also the offset of its checkpoint. */
export type Cursor = {
  readonly partition: number;
  /** The generation of the topic that the offset belongs to. */
  readonly generation: number;
  offset: bigint;
  failures: number;
};

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
    // In this order: a committed offset lies within the ranges that are read afterwards, unless the topic was replaced
    // in between.
    const checkpoints = await offsets.checkpoints();
    const ranges = await offsets.ranges();
    lowWatermark.setPartitionCount(ranges.size);
    const ends = new Map<number, bigint>();
    let generation = 0;
    for (const partition of partitions) {
      const checkpoint = checkpoints.get(partition);
      const range = ranges.get(partition);
      if (!range) continue; // added later: no event is there
      generation = range.generation; // one for the whole topic
      lowWatermark.raise(partition, completeThrough(checkpoint?.position ?? 0));
      if (checkpoint && isInRange(checkpoint, range)) fetchFrom(partition, { offset: checkpoint.offset, generation });
      else ends.set(partition, range.high);
    }
    if (ends.size === 0 || stopSignal.aborted) return;
    const outcome = await recoverFromJournal(context, {
      consumer,
      ends,
      generation,
      count: ranges.size,
      signal: stopSignal,
    });
    if (outcome === 'topic-replaced') await lookUp([...ends.keys()]);
    if (outcome === 'recovered') for (const [partition, offset] of ends) fetchFrom(partition, { offset, generation });
  }

  function fetchFrom(partition: number, { offset, generation }: Pick<Cursor, 'offset' | 'generation'>): void {
    if (stopSignal.aborted) return;
    consumer.seek({ topic, partition, offset: String(offset) });
    cursors.set(partition, { partition, generation, offset, failures: 0 });
    flow.enable(partition);
  }

  return {
    of: (partition) => cursors.get(partition),
    all: () => [...cursors.values()],
    lookUp,
    lookUpAgain: (partition) => {
      logger.warn(
        { partition, position: lowWatermark.of(partition).complete },
        'Kafka no longer holds the next events of a partition: it is looked up again',
      );
      lookUp([partition]).catch(crash);
    },
    settled: async () => {
      await Promise.allSettled(lookups);
    },
  };
}

/** True when Kafka holds every record behind the checkpoint. */
export function isInRange(
  { offset, generation, isComplete }: Checkpoint,
  range: PartitionRange | undefined,
): range is PartitionRange {
  if (!isComplete || range === undefined || generation !== range.generation) return false;
  return range.low <= offset && offset <= range.high;
}
