/** Opens the stream over Kafka, and closes it with the process. Every connection is opened by its first use. */
import type { Resources } from '../../kernel/concurrency/resources.js';
import type { Logger } from '../../kernel/logger.js';
import type { Metrics } from '../../kernel/metrics/metrics.js';
import type { JournalReader } from '../../ports/journal.js';
import type { JournalIdentity } from '../../ports/journal-identity.js';
import type { TopicRecords } from '../../ports/topic-records.js';
import { createKafkaStream, type KafkaStream } from './kafka-stream.js';
import type { KafkaConfig } from './kafka-variables.js';
import { createKafkaPublisher, type KafkaPublisher } from './publisher/kafka-publisher.js';
import type { StreamOutbox } from './subscription/event-subscription.js';

type Opening = {
  readonly config: KafkaConfig;
  readonly topicRecords: TopicRecords;
  readonly logger: Logger;
  readonly resources: Resources;
};

/** For a process that consumes events. */
export function openKafkaStream({
  resources,
  ...options
}: Opening & {
  readonly journal: Pick<JournalReader, 'read' | 'head'>;
  readonly identity: Pick<JournalIdentity, 'id'>;
  readonly outbox: StreamOutbox;
  readonly metrics?: Pick<Metrics, 'count'> | undefined;
}): KafkaStream {
  return resources.add(createKafkaStream(options), (opened) => opened.close());
}

/** For a process that only publishes. */
export function openKafkaPublisher({ resources, ...options }: Opening): KafkaPublisher {
  return resources.add(createKafkaPublisher(options), (opened) => opened.close());
}

/** The address for log lines, without the login. */
export function kafkaAddress({ brokers }: KafkaConfig): string {
  return `Kafka at ${brokers.join(',')}`;
}
