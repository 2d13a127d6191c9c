/** Reads the first and last offsets of the partitions of a topic, and the checkpoints of a group in them. */
import { DependencyError } from '../../kernel/errors.js';
import { type Checkpoint, readCheckpoint } from './checkpoint.js';
import type { KafkaAdmin } from './kafka-admin.js';

/** Records from `low` (inclusive) to `high` (exclusive). */
export type OffsetRange = { readonly low: bigint; readonly high: bigint };

export interface TopicOffsets {
  /** For every partition. */
  ranges(): Promise<ReadonlyMap<number, OffsetRange>>;
  /** For every partition in which the group has a checkpoint. */
  checkpoints(): Promise<ReadonlyMap<number, Checkpoint>>;
}

export function createTopicOffsets({
  admin,
  topic,
  groupId,
}: {
  readonly admin: KafkaAdmin;
  readonly topic: string;
  readonly groupId: string;
}): TopicOffsets {
  return {
    ranges: () =>
      admin.call(`return the offsets of ${topic}`, async (client) => {
        const [found, { topics }] = [
          await client.fetchTopicOffsets(topic),
          await client.fetchTopicMetadata({ topics: [topic] }),
        ];
        // The client may have cached an old number of partitions, so it is compared with the broker's current answer.
        const count = topics[0]?.partitions.length ?? 0;
        if (found.length !== count)
          throw new DependencyError(
            'stream',
            `${topic} changed from ${found.length} to ${count} partitions: its offsets are read again`,
          );
        return new Map(found.map(({ partition, low, high }) => [partition, { low: BigInt(low), high: BigInt(high) }]));
      }),
    checkpoints: () =>
      admin.call(`return the checkpoints of ${groupId}`, async (client) => {
        const [found] = await client.fetchOffsets({ groupId, topics: [topic] });
        const checkpoints = (found?.partitions ?? []).map(
          ({ partition, offset, metadata }) => [partition, readCheckpoint(offset, metadata)] as const,
        );
        return new Map(
          checkpoints.flatMap(([partition, checkpoint]) => (checkpoint ? [[partition, checkpoint] as const] : [])),
        );
      }),
  };
}
