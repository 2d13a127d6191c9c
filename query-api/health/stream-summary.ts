/** The state of the event topic for the health reply: its partitions, and how often its events had to come from the journal. Pure. */
import type { TopicRecord } from '../../shared/ports/topic-records.js';

export function streamSummary(record: TopicRecord | null) {
  if (record === null) return null;
  const added = Math.max(0, record.partitions - record.ends.length);
  return {
    partitions: record.ends.length,
    added_partitions: added,
    generation: record.generation,
    warning:
      added === 0
        ? null
        : `The event topic has ${added} more partitions than events are distributed over: they stay empty. To use them, delete the topic: it is created again with KAFKA_PARTITIONS.`,
  };
}
