/** Reads the offsets of the partitions that events are distributed over, and the checkpoints of a group in them. */
import { type Checkpoint, type HistoryId, readCheckpoint } from './checkpoint.js';
import type { OffsetRange } from './fetch-ranges.js';
import type { KafkaAdmin } from './kafka-admin.js';
import type { TopicLog } from './topic-log.js';

/** The records of a partition and the generation of the topic that its offsets belong to. */
export type PartitionRange = OffsetRange & { readonly generation: number };

export interface TopicOffsets {
  /** For every partition that events are distributed over. Begins a new generation when Kafka lost records. */
  ranges(): Promise<ReadonlyMap<number, PartitionRange>>;
  /** For every partition in which the group has a checkpoint. */
  checkpoints(): Promise<ReadonlyMap<number, Checkpoint>>;
  /** The current generation of the topic. */
  generation(): Promise<number | null>;
  /** Begins the next generation. No effect when this one has ended. */
  reportLoss(generation: number): Promise<void>;
}

export function createTopicOffsets({
  admin,
  log,
  topic,
  groupId,
  history,
}: {
  readonly admin: KafkaAdmin;
  readonly log: TopicLog;
  readonly topic: string;
  readonly groupId: string;
  readonly history: HistoryId;
}): TopicOffsets {
  return {
    ranges: async () => {
      const { record, ranges } = await log.view();
      return new Map([...ranges].map(([partition, range]) => [partition, { ...range, generation: record.generation }]));
    },
    checkpoints: () =>
      admin.call(`return the checkpoints of ${groupId}`, async (client) => {
        const [found] = await client.fetchOffsets({ groupId, topics: [topic] });
        const checkpoints = (found?.partitions ?? []).map(
          ({ partition, offset, metadata }) => [partition, readCheckpoint(offset, metadata, history)] as const,
        );
        return new Map(
          checkpoints.flatMap(([partition, checkpoint]) => (checkpoint ? [[partition, checkpoint] as const] : [])),
        );
      }),
    generation: log.generation,
    reportLoss: log.reportLoss,
  };
}
