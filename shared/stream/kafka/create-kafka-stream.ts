/**
 * The stream of the distributed composition. Kafka is transport: it keeps events for some days, and what it does not hold is read from the
 * journal. Every connection is made when it is first needed.
 */
import type { JournalReader } from '../../journal/journal.js';
import type { Logger } from '../../kernel/logger.js';
import type { EventSource, Subscription } from '../stream.js';
import { createActivityListener } from './create-activity-listener.js';
import { createEventSubscription } from './create-event-subscription.js';
import { createKafkaPublisher, type KafkaPublisher } from './create-kafka-publisher.js';
import type { KafkaConfig } from './kafka-variables.js';
import { takeoverMsOf } from './membership-times.js';

export type KafkaStream = KafkaPublisher & EventSource;

export function createKafkaStream({
  config,
  journal,
  publishedThrough,
  logger,
}: {
  readonly config: KafkaConfig;
  readonly journal: Pick<JournalReader, 'read' | 'head'>;
  /**
   * Every event of the journal at or below this position is in the stream. Positions of subscriptions follow it, so that an event is
   * never taken for handled because nothing of it has arrived yet.
   */
  readonly publishedThrough: () => Promise<number>;
  readonly logger: Logger;
}): KafkaStream {
  const { admin, ensureTopics, ...publisher } = createKafkaPublisher({ config, logger });
  const open = new Set<Subscription>();

  function remembering(subscription: Subscription): Subscription {
    const remembered = {
      ...subscription,
      close: async () => {
        open.delete(remembered);
        await subscription.close();
      },
    };
    open.add(remembered);
    return remembered;
  }

  return {
    ...publisher,
    takeoverMs: takeoverMsOf(config),
    subscribe: async (subscription) =>
      remembering(
        await createEventSubscription({ config, admin, ensureTopics, journal, publishedThrough, subscription, logger }),
      ),
    listen: async (group, handle, signal) => {
      // What was notified here before is not for this listener, and `settled` means what is notified here from now on.
      await publisher.flushed();
      const listener = await createActivityListener({
        config,
        admin,
        ensureTopics,
        group,
        handle,
        logger,
        ...(signal && { signal }),
      });
      return remembering({
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
