/** Where the partitions of a topic begin and end, and where a group stands in them. */
import { DependencyError } from '../../kernel/errors.js';
import { readCheckpoint, type Checkpoint } from './checkpoint.js';
import type { KafkaAdmin } from './create-kafka-admin.js';

/** Records from `low` up to, and without, `high`. */
export type OffsetRange = { readonly low: bigint; readonly high: bigint };

export interface TopicOffsets {
  /** Of every partition. */
  ranges(): Promise<ReadonlyMap<number, OffsetRange>>;
  /** Of every partition in which the group has a checkpoint. */
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
      admin.ask(`tell the offsets of ${topic}`, async (client) => {
        const [found, { topics }] = [
          await client.fetchTopicOffsets(topic),
          await client.fetchTopicMetadata({ topics: [topic] }),
        ];
        // What the client knows of the partitions may be old, so it is compared with what the broker says now.
        const count = topics[0]?.partitions.length ?? 0;
        if (found.length !== count)
          throw new DependencyError(
            'stream',
            `${topic} has ${count} partitions and had ${found.length}: it is looked at again`,
          );
        return new Map(found.map(({ partition, low, high }) => [partition, { low: BigInt(low), high: BigInt(high) }]));
      }),
    checkpoints: () =>
      admin.ask(`tell where ${groupId} stands`, async (client) => {
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
