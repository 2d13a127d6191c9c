/** The publishing half of the stream, for processes that consume nothing: the relay appends, readers notify. */
import type { Logger } from '../../kernel/logger.js';
import { createResources } from '../../kernel/resources.js';
import type { EventPublisher } from '../stream.js';
import { createActivityNotifier } from './create-activity-notifier.js';
import { createEventPublisher } from './create-event-publisher.js';
import { createKafka } from './create-kafka.js';
import { createKafkaAdmin, type KafkaAdmin } from './create-kafka-admin.js';
import { compareTopics, ensureTopics } from './ensure-topics.js';
import type { KafkaConfig } from './kafka-variables.js';
import { activityTopic, eventTopic } from './topics.js';

export type KafkaPublisher = EventPublisher & {
  /**
   * Creates the topics that are missing, and warns of those that differ from their settings. Throws DependencyError while no broker
   * answers, and ConfigurationError for what waiting cannot mend. The other calls do not need it.
   */
  readonly connect: () => Promise<void>;
  /** Answers when a broker really did; throws DependencyError otherwise. */
  readonly ping: () => Promise<void>;
  /** Resolves when every activity notified before has been sent, or lost. */
  readonly flushed: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type PublisherParts = KafkaPublisher & {
  readonly admin: KafkaAdmin;
  readonly ensureTopics: () => Promise<void>;
};

/** Every connection is made when it is first needed. */
export function createKafkaPublisher({
  config,
  logger,
}: {
  readonly config: KafkaConfig;
  readonly logger: Logger;
}): PublisherParts {
  const kafka = createKafka({ config, logger });
  const { batchBytes, requestTimeoutMs } = config;
  const resources = createResources();
  const admin = resources.add(createKafkaAdmin(kafka), (opened) => opened.close());
  const ensure = (): Promise<void> => ensureTopics({ kafka, config });
  const events = createEventPublisher({
    kafka,
    topic: eventTopic(config),
    ensureTopic: ensure,
    batchBytes,
    requestTimeoutMs,
  });
  resources.add(events, (opened) => opened.close());
  const activity = createActivityNotifier({ kafka, topic: activityTopic(config), requestTimeoutMs, logger });
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
    },
    ping: async () => {
      await admin.ask('answer', (client) => client.describeCluster());
    },
    close: () => resources.close(),
  };
}
