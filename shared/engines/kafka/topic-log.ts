/**
 * Compares the event topic with its record. An end below the remembered one proves that Kafka lost records, or that the
 * topic is another one: a new generation begins, in which every group continues in the journal. Partitions that were
 * added later stay empty, because another distribution of the keys would break the order of their events.
 */
import type { Logger } from '../../kernel/logger.js';
import type { TopicRecord, TopicRecords } from '../../ports/topic-records.js';
import { fetchRanges, type OffsetRange } from './fetch-ranges.js';
import type { KafkaAdmin } from './kafka-admin.js';

/** The record and the ranges of its partitions. Each end is at least the remembered one. */
export type TopicView = { readonly record: TopicRecord; readonly ranges: ReadonlyMap<number, OffsetRange> };

export interface TopicLog {
  /** Reads the record first, so that a lower end is a loss. */
  view(): Promise<TopicView>;
  /** The current generation; null before the first view. */
  generation(): Promise<number | null>;
  /**
   * Begins the next generation, for records that were lost although no end is lower. No effect when `generation` has
   * ended.
   */
  reportLoss(generation: number): Promise<void>;
}

const LOSS =
  'Kafka lost records that it had acknowledged, or the topic was replaced: projectors read the journal; other consumers miss events';

export function createTopicLog({
  admin,
  topic,
  records,
  logger,
}: {
  readonly admin: KafkaAdmin;
  readonly topic: string;
  readonly records: TopicRecords;
  readonly logger: Logger;
}): TopicLog {
  let warnedOf = 0;

  async function view(): Promise<TopicView> {
    const known = await records.find(topic);
    const found = await fetchRanges(admin, topic);
    const highs = [...found.keys()]
      .sort((one, other) => one - other)
      .map((partition) => found.get(partition)?.high ?? 0n);
    const record = known ?? (await records.create(topic, highs));
    const changed = changedEnds(record, highs);
    if (changed) {
      logger.error(
        { topic, generation: record.generation, remembered: record.ends.map(String), found: highs.map(String) },
        LOSS,
      );
      await records.renew(topic, { generation: record.generation, ends: changed });
      return view();
    }
    if (record.partitions !== found.size) await records.notePartitions(topic, found.size);
    warnOfGrowth(record.ends.length, found.size);
    return { record, ranges: new Map([...found].filter(([partition]) => partition < record.ends.length)) };
  }

  function warnOfGrowth(used: number, found: number): void {
    if (found > used && found !== warnedOf) {
      logger.warn(
        { topic, used, found },
        'the topic has more partitions than events are distributed over: the added ones stay empty, so that the events of a memory keep their order',
      );
    }
    warnedOf = found;
  }

  return {
    view,
    generation: async () => (await records.find(topic))?.generation ?? null,
    reportLoss: async (generation) => {
      const found = await fetchRanges(admin, topic);
      const record = await records.find(topic);
      if (record?.generation !== generation) return;
      logger.error({ topic, generation }, LOSS);
      await records.renew(topic, {
        generation,
        ends: record.ends.map((_, partition) => found.get(partition)?.high ?? 0n),
      });
    },
  };
}

/**
 * The ends of the next generation; null when no end is lower than remembered. A topic without records or with fewer
 * partitions is a new one.
 */
export function changedEnds({ ends }: Pick<TopicRecord, 'ends'>, highs: readonly bigint[]): readonly bigint[] | null {
  const fallen = ends.filter((end, partition) => (highs[partition] ?? 0n) < end);
  const isNew = highs.length < ends.length || highs.every((high) => high === 0n);
  if (isNew && (fallen.length > 0 || highs.length !== ends.length)) return highs;
  return fallen.length > 0 ? highs.slice(0, ends.length) : null;
}
