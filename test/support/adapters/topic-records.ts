/** Topic records in this process: the double of the records in Postgres. */
import type { TopicRecord, TopicRecords } from '../../../shared/ports/topic-records.js';

export function createLocalTopicRecords(): TopicRecords {
  const records = new Map<string, TopicRecord>();
  const existing = (topic: string): TopicRecord => {
    const record = records.get(topic);
    if (!record) throw new Error(`The record of the topic ${topic} does not exist: create it first`);
    return record;
  };
  const higher = (one: bigint, other: bigint): bigint => (one > other ? one : other);
  return {
    find: async (topic) => records.get(topic) ?? null,
    create: async (topic, ends) => {
      if (!records.has(topic)) records.set(topic, { generation: 1, ends, partitions: ends.length });
      return existing(topic);
    },
    raise: async (topic, { generation, ends }) => {
      const record = records.get(topic);
      if (record?.generation !== generation) return false;
      records.set(topic, { ...record, ends: record.ends.map((end, index) => higher(end, ends[index] ?? 0n)) });
      return true;
    },
    renew: async (topic, { generation, ends }) => {
      const record = existing(topic);
      if (record.generation === generation) records.set(topic, { ...record, generation: generation + 1, ends });
      return existing(topic);
    },
    notePartitions: async (topic, partitions) => void records.set(topic, { ...existing(topic), partitions }),
  };
}
