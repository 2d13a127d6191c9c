/**
 * The stream of the distributed composition. Kafka is transport: it keeps events for some days, and older events are
 * read from the journal. Every connection is opened by its first use.
 */
import type { Logger } from '../../kernel/logger.js';
import type { Metrics } from '../../kernel/metrics/metrics.js';
import type { JournalReader } from '../../ports/journal.js';
import type { JournalIdentity } from '../../ports/journal-identity.js';
import type { EventSource, Subscription } from '../../ports/stream.js';
import type { TopicRecords } from '../../ports/topic-records.js';
import { createActivityListener } from './activity/activity-listener.js';
import type { KafkaConfig } from './kafka-variables.js';
import { takeoverMsOf } from './membership-times.js';
import { createKafkaPublisher, type KafkaPublisher } from './publisher/kafka-publisher.js';
import { createEventSubscription, type StreamOutbox } from './subscription/event-subscription.js';

export type KafkaStream = KafkaPublisher & EventSource;

export function createKafkaStream({
  config,
  journal,
  outbox,
  topicRecords,
  identity,
  logger,
  metrics,
}: {
  readonly config: KafkaConfig;
  readonly journal: Pick<JournalReader, 'read' | 'head'>;
  readonly outbox: StreamOutbox;
  readonly topicRecords: TopicRecords;
  /** Checkpoints name the history that this process read first. */
  readonly identity?: Pick<JournalIdentity, 'id'> | undefined;
  readonly logger: Logger;
  readonly metrics?: Pick<Metrics, 'count'> | undefined;
}): KafkaStream {
  const { admin, ensureTopics, ...publisher } = createKafkaPublisher({ config, topicRecords, logger });
  const open = new Set<Subscription>();

  /** Keeps the subscription in `open` until it is closed. */
  function track(subscription: Subscription): Subscription {
    const tracked = {
      ...subscription,
      close: async () => {
        open.delete(tracked);
        await subscription.close();
      },
    };
    open.add(tracked);
    return tracked;
  }

  return {
    ...publisher,
    takeoverMs: takeoverMsOf(config),
    subscribe: async (subscription) =>
      track(
        await createEventSubscription({
          config,
          admin,
          ensureTopics,
          journal,
          outbox,
          topicRecords,
          identity,
          subscription,
          logger,
          metrics,
        }),
      ),
    listen: async (group, handle, signal) => {
      // Activity notified earlier is not for this listener, and its `settled` covers the activity notified from now on.
      await publisher.flushed();
      const listener = await createActivityListener({
        config,
        admin,
        ensureTopics,
        group,
        handle,
        logger,
        metrics,
        ...(signal && { signal }),
      });
      return track({
        ...listener,
        settled: async () => {
          await publisher.flushed();
          await listener.settled();
        },
      });
    },
    close: async () => {
      await Promise.all([...open].map((subscription) => subscription.close()));
      await publisher.close();
    },
  };
}
