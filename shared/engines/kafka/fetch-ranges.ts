/** Reads the first and last offsets of the partitions of a topic. */
import { DependencyError } from '../../kernel/errors.js';
import type { KafkaAdmin } from './kafka-admin.js';

/** Records from `low` (inclusive) to `high` (exclusive). */
export type OffsetRange = { readonly low: bigint; readonly high: bigint };

export function fetchRanges(admin: KafkaAdmin, topic: string): Promise<ReadonlyMap<number, OffsetRange>> {
  return admin.call(`return the offsets of ${topic}`, async (client) => {
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
  });
}
