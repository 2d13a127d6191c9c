/**
 * Where each partition of a share stands. A partition is looked up before it flows: where Kafka still holds what comes next it goes on
 * from there, and otherwise the journal is read first. One that turns out to be another than it was is looked up again.
 */
import type { Consumer } from 'kafkajs';
import type { Checkpoint } from './checkpoint.js';
import type { Flow } from './create-flow.js';
import { recoverFromJournal } from './recover-from-journal.js';
import type { ShareContext } from './share-context.js';
import type { OffsetRange } from './topic-offsets.js';

/** A partition that flows: the offset that comes next, at which its checkpoint stands. */
export type Cursor = { readonly partition: number; offset: bigint; failures: number };

export interface Cursors {
  /** None while the partition is looked up. */
  of(partition: number): Cursor | undefined;
  all(): readonly Cursor[];
  lookUp(partitions: readonly number[]): Promise<void>;
  /** For a partition that flowed until now. */
  lookUpAgain(partition: number): void;
  /** Resolves when nothing is looked up any more; `ending` was aborted before. */
  ended(): Promise<void>;
}

export function createCursors(
  context: ShareContext,
  {
    consumer,
    flow,
    ending,
    crash,
  }: {
    readonly consumer: Consumer;
    readonly flow: Flow;
    readonly ending: AbortSignal;
    readonly crash: (error: unknown) => void;
  },
): Cursors {
  const { topic, offsets, lowWater, logger } = context;
  const cursors = new Map<number, Cursor>();
  const lookups = new Set<Promise<void>>();

  function lookUp(partitions: readonly number[]): Promise<void> {
    for (const partition of partitions) {
      cursors.delete(partition);
      flow.shut(partition);
      lowWater.unmark(partition);
    }
    const lookup = find(partitions);
    lookups.add(lookup);
    return lookup.finally(() => lookups.delete(lookup));
  }

  async function find(partitions: readonly number[]): Promise<void> {
    // In this order: what was committed lies within what is there afterwards, unless the topic became another one in between.
    const checkpoints = await offsets.checkpoints();
    const ranges = await offsets.ranges();
    lowWater.sharedOutOver(ranges.size);
    const ends = new Map<number, bigint>();
    for (const partition of partitions) {
      const checkpoint = checkpoints.get(partition);
      const range = ranges.get(partition);
      lowWater.raise(partition, checkpoint?.position ?? 0);
      if (checkpoint && isWithin(checkpoint, range)) goOn(partition, checkpoint.offset);
      else ends.set(partition, range?.high ?? 0n);
    }
    if (ends.size === 0 || ending.aborted) return;
    const outcome = await recoverFromJournal(context, { consumer, ends, count: ranges.size, signal: ending });
    if (outcome === 'elsewhere') await lookUp([...ends.keys()]);
    if (outcome === 'recovered') for (const [partition, end] of ends) goOn(partition, end);
  }

  function goOn(partition: number, offset: bigint): void {
    if (ending.aborted) return;
    consumer.seek({ topic, partition, offset: String(offset) });
    cursors.set(partition, { partition, offset, failures: 0 });
    flow.open(partition);
  }

  return {
    of: (partition) => cursors.get(partition),
    all: () => [...cursors.values()],
    lookUp,
    lookUpAgain: (partition) => {
      logger.warn(
        { partition, position: lowWater.of(partition) },
        'Kafka no longer holds what comes next in a partition: it is looked up again',
      );
      lookUp([partition]).catch(crash);
    },
    ended: async () => {
      await Promise.allSettled(lookups);
    },
  };
}

export function isWithin({ offset, isComplete }: Checkpoint, range: OffsetRange | undefined): boolean {
  return isComplete && range !== undefined && range.low <= offset && offset <= range.high;
}
