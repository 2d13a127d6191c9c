/**
 * Brings partitions up to date whose next events Kafka does not hold: for a new group, for events older than the
 * retention or lost by Kafka, for a topic that was deleted and created again. The caller reads the end offsets first,
 * so every event before them is in the journal up to the head, which is read afterwards.
 */
import type { Consumer } from 'kafkajs';
import { checkpointMetadata } from '../checkpoint.js';
import { createPartitionOf } from '../partition-of.js';
import type { AssignmentContext } from './assignment-context.js';
import { catchUp } from './catch-up.js';
import { completeThrough } from './low-watermark.js';

export type JournalRecovery = {
  readonly consumer: Pick<Consumer, 'commitOffsets'>;
  /** The offset of each partition at which fetching continues once the journal has been read. */
  readonly ends: ReadonlyMap<number, bigint>;
  /** The generation of the topic that the ends belong to. */
  readonly generation: number;
  /** Number of partitions that events are distributed over. */
  readonly count: number;
  readonly signal: AbortSignal;
};

/** `topic-replaced`: the topic was replaced meanwhile, and `ends` are not its ends. Progress is kept in every case. */
export async function recoverFromJournal(
  context: AssignmentContext,
  { consumer, ends, generation, count, signal }: JournalRecovery,
): Promise<'recovered' | 'topic-replaced' | 'stopped'> {
  const { topic, offsets, journal, unapplied, subscription, lowWatermark, enqueue, isPaused, handlerSignal, logger } =
    context;
  const partitions = [...ends.keys()];
  const partitionOf = createPartitionOf(count);
  const { complete: after } = lowWatermark.lowest(partitions);

  async function commit(position: number, isComplete: boolean): Promise<void> {
    const metadata = checkpointMetadata({ position, generation, isComplete }, context.history);
    await consumer.commitOffsets(
      [...ends].map(([partition, end]) => ({ topic, partition, offset: String(end), metadata })),
    );
  }

  /**
   * When a topic is deleted, Kafka deletes its committed offsets too. So a checkpoint that still exists proves that the
   * topic is the same one.
   */
  async function save(position: number, isComplete: boolean): Promise<boolean> {
    for (const partition of partitions) lowWatermark.raise(partition, completeThrough(position));
    const checkpoints = await offsets.checkpoints();
    if (signal.aborted || partitions.some((partition) => checkpoints.get(partition)?.offset !== ends.get(partition)))
      return false;
    await commit(position, isComplete);
    return true;
  }

  await commit(after, false);
  const through = await journal.head();
  if (through > after) logger.info({ partitions, after, through }, 'reading events from the journal that Kafka lacks');
  const position = await catchUp({
    journal,
    after,
    through,
    unapplied,
    isPaused,
    signal,
    batchSize: subscription.batchSize,
    isOurs: ({ partitionKey }) => ends.has(partitionOf(partitionKey)),
    handle: (events) => enqueue(() => subscription.handle(events, handlerSignal)),
    save: async (reached) => void (await save(reached, false)),
    onFailure: (err, waitMs) =>
      logger.warn({ err, waitMs, partitions }, 'batch of events from the journal failed and is retried'),
  });
  if (position === null) return 'stopped';
  return (await save(position, true)) ? 'recovered' : 'topic-replaced';
}
