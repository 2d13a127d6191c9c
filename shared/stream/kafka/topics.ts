/** Our topics: their names, and every setting that we rely on, so that no default of a broker applies. */
import type { ITopicConfig } from 'kafkajs';
import type { KafkaConfig } from './kafka-variables.js';

/** The largest record batch that a topic takes: two of the largest envelopes, so that every event fits. */
export const RECORD_BATCH_LIMIT_BYTES = 2 * 1024 * 1024;

export const eventTopic = ({ prefix }: KafkaConfig): string => `${prefix}memory.events`;
export const activityTopic = ({ prefix }: KafkaConfig): string => `${prefix}memory.activity`;
/** The name of a consumer group in Kafka. */
export const groupId = ({ prefix }: KafkaConfig, group: string): string => `${prefix}${group}`;

export type TopicSettings = ITopicConfig & {
  readonly numPartitions: number;
  readonly configEntries: { readonly name: string; readonly value: string }[];
};

export function topicSettings(config: KafkaConfig): readonly TopicSettings[] {
  return [
    settings(eventTopic(config), config.retentionMs),
    settings(activityTopic(config), config.activityRetentionMs),
  ];

  function settings(topic: string, retentionMs: number): TopicSettings {
    return {
      topic,
      numPartitions: config.partitions,
      replicationFactor: config.replicationFactor,
      configEntries: entries({
        'cleanup.policy': 'delete',
        'retention.ms': String(retentionMs),
        'retention.bytes': '-1',
        'max.message.bytes': String(RECORD_BATCH_LIMIT_BYTES),
        // One replica may be down without stopping the relay; with three replicas an acknowledged record is on two.
        'min.insync.replicas': String(Math.max(1, config.replicationFactor - 1)),
      }),
    };
  }
}

function entries(values: Readonly<Record<string, string>>): { readonly name: string; readonly value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
