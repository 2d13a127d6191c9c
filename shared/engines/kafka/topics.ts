/** Our topics: their names, and every setting that we rely on, so that no default of a broker applies. */
import type { ITopicConfig } from 'kafkajs';
import type { KafkaConfig } from './kafka-variables.js';

/** The largest record batch that a topic takes: two of the largest envelopes, so that every event fits. */
export const RECORD_BATCH_LIMIT_BYTES = 2 * 1024 * 1024;

/** Activity is only read when it is new. */
const ACTIVITY_RETENTION_MS = 3_600_000;

export const eventTopic = ({ prefix }: KafkaConfig): string => `${prefix}memory.events`;
export const activityTopic = ({ prefix }: KafkaConfig): string => `${prefix}memory.activity`;
/** The name of a consumer group in Kafka. */
export const groupId = ({ prefix }: KafkaConfig, group: string): string => `${prefix}${group}`;

export type TopicSettings = ITopicConfig & {
  readonly numPartitions: number;
  readonly configEntries: { readonly name: string; readonly value: string }[];
};

export function topicSettings(config: KafkaConfig): readonly TopicSettings[] {
  const inSyncReplicas = Math.max(1, config.replicationFactor - 1);
  // An acknowledged record that may be on one broker alone is on its disk: otherwise a power loss takes it.
  const flushes: Readonly<Record<string, string>> = inSyncReplicas === 1 ? { 'flush.messages': '1' } : {};
  return [
    settings(eventTopic(config), config.retentionMs, flushes),
    settings(activityTopic(config), ACTIVITY_RETENTION_MS),
  ];

  function settings(topic: string, retentionMs: number, more: Readonly<Record<string, string>> = {}): TopicSettings {
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
        'min.insync.replicas': String(inSyncReplicas),
        // A replica that lacks acknowledged records never leads: publishing waits for another one instead.
        'unclean.leader.election.enable': 'false',
        ...more,
      }),
    };
  }
}

function entries(values: Readonly<Record<string, string>>): { readonly name: string; readonly value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
