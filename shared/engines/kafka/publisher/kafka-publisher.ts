/**
 * The publishing half of the stream, for processes that consume nothing: the relay appends events, query APIs notify
 * activity.
 */
import { createResources } from '../../../kernel/concurrency/resources.js';
import type { Logger } from '../../../kernel/logger.js';
import type { EventPublisher } from '../../../ports/stream.js';
import type { TopicRecords } from '../../../ports/topic-records.js';
import { createActivityNotifier } from '../activity/activity-notifier.js';
import { compareTopics, ensureTopics } from '../ensure-topics.js';
import { createKafkaAdmin, type KafkaAdmin } from '../kafka-admin.js';
import { createKafkaClient } from '../kafka-client.js';
import type { KafkaConfig } from '../kafka-variables.js';
import { createTopicLog } from '../topic-log.js';
import { activityTopic, eventTopic } from '../topics.js';
import { createEventPublisher } from './event-publisher.js';

export type KafkaPublisher = EventPublisher & {
  /**
   * Creates the topics that are missing, warns of topics that differ from their settings, and finds records that Kafka
   * lost. Throws DependencyError while no broker answers, and ConfigurationError for a problem that waiting cannot
   * solve. The other calls work without it.
   */
  readonly connect: () => Promise<void>;
  /** Resolves when a broker has answered; throws DependencyError otherwise. */
  readonly ping: () => Promise<void>;
  /** Resolves when all activity notified before the call has been sent or lost. */
  readonly flushed: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type PublisherParts = KafkaPublisher & {
  readonly admin: KafkaAdmin;
  readonly ensureTopics: () => Promise<void>;
};

/** Every connection is opened by its first use. */
export function createKafkaPublisher({
  config,
  topicRecords,
  logger,
}: {
  readonly config: KafkaConfig;
  readonly topicRecords: TopicRecords;
  readonly logger: Logger;
}): PublisherParts {
  const kafka = createKafkaClient({ config, logger });
  const resources = createResources();
  const admin = resources.add(createKafkaAdmin(kafka), (opened) => opened.close());
  const ensure = (): Promise<void> => ensureTopics({ kafka, config });
  const topic = eventTopic(config);
  const log = createTopicLog({ admin, topic, records: topicRecords, logger });
  const events = createEventPublisher({
    kafka,
    topic,
    records: topicRecords,
    log,
    ensureTopic: ensure,
  });
  resources.add(events, (opened) => opened.close());
  const activity = createActivityNotifier({ kafka, topic: activityTopic(config), logger });
  resources.add(activity, (opened) => opened.close());

  return {
    admin,
    ensureTopics: ensure,
    append: events.append,
    notify: activity.notify,
    flushed: activity.flushed,
    connect: async () => {
      await ensure();
      await compareTopics({ admin, config, logger });
      await log.view();
    },
    ping: async () => {
      await admin.call('answer', (client) => client.describeCluster());
    },
    close: () => resources.close(),
  };
}
