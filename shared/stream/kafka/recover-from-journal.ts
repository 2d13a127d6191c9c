/**
 * Brings partitions up to date whose next events Kafka does not hold: a group that is new, events older than the retention, a topic that
 * was deleted and created again. Their ends are read first, so whatever lies before those is in the journal up to the head read next.
 */
import type { Consumer } from 'kafkajs';
import { catchUp } from './catch-up.js';
import { checkpointMetadata } from './checkpoint.js';
import { createPartitionOf } from './partition-of.js';
import type { ShareContext } from './share-context.js';

export type Recovery = {
  readonly consumer: Pick<Consumer, 'commitOffsets'>;
  /** The offset to go on from in each partition, once the journal has been read. */
  readonly ends: ReadonlyMap<number, bigint>;
  /** Partitions of the topic. */
  readonly count: number;
  readonly signal: AbortSignal;
};

/** `elsewhere`: the topic has become another one meanwhile, and its ends are not these. Progress is kept in every case. */
export async function recoverFromJournal(
  context: ShareContext,
  { consumer, ends, count, signal }: Recovery,
): Promise<'recovered' | 'elsewhere' | 'ended'> {
  const { topic, offsets, journal, subscription, lowWater, inTurn, isPaused, giveUp, logger } = context;
  const partitions = [...ends.keys()];
  const partitionOf = createPartitionOf(count);
  const after = lowWater.lowest(partitions);

  async function commit(position: number, isComplete: boolean): Promise<void> {
    const metadata = checkpointMetadata({ position, isComplete });
    await consumer.commitOffsets(
      [...ends].map(([partition, end]) => ({ topic, partition, offset: String(end), metadata })),
    );
  }

  /** With a topic Kafka deletes what was committed for it, so a checkpoint that is still there says that the topic is, too. */
  async function save(position: number, isComplete: boolean): Promise<boolean> {
    for (const partition of partitions) lowWater.raise(partition, position);
    const checkpoints = await offsets.checkpoints();
    if (signal.aborted || partitions.some((partition) => checkpoints.get(partition)?.offset !== ends.get(partition)))
      return false;
    await commit(position, isComplete);
    return true;
  }

  await commit(after, false);
  const through = await journal.head();
  if (through > after)
    logger.info({ partitions, after, through }, 'Events that Kafka does not hold are read from the journal');
  const position = await catchUp({
    journal,
    after,
    through,
    isPaused,
    signal,
    batchSize: subscription.batchSize,
    isOurs: ({ partitionKey }) => ends.has(partitionOf(partitionKey)),
    handle: (events) => inTurn(() => subscription.handle(events, giveUp)),
    save: async (reached) => void (await save(reached, false)),
    onFailure: (error, waitMs) =>
      logger.warn({ error, waitMs, partitions }, 'Events from the journal failed and come again'),
  });
  if (position === null) return 'ended';
  return (await save(position, true)) ? 'recovered' : 'elsewhere';
}
