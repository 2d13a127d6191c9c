/**
 * The stream of the embedded composition: the journal is the log, so `append` has nothing to write and only wakes those who follow it,
 * and each consumer group keeps a checkpoint beside the journal. Activity is handed over inside the process.
 */
import type { Activity } from '../../contract/events.js';
import type { JournalReader } from '../../journal/journal.js';
import type { Logger } from '../../kernel/logger.js';
import type { SqliteHost } from '../../sqlite/host.js';
import type { EventPublisher, EventSource, Subscription } from '../stream.js';
import { createCheckpoints } from './checkpoints.js';
import { createActivityListener, type ActivityListener } from './create-activity-listener.js';
import { createConsumerGroup, type ConsumerGroup } from './create-consumer-group.js';
import { followJournal, type JournalFollower } from './follow-journal.js';

export type JournalStream = EventPublisher & EventSource & { readonly close: () => Promise<void> };

export type JournalStreamOptions = {
  readonly host: SqliteHost;
  readonly journal: Pick<JournalReader, 'read' | 'head'>;
  readonly logger: Logger;
  /** How long a follower that nobody wakes waits at most before it looks again. */
  readonly pollMs?: number;
};

export function createJournalStream({ host, journal, logger, pollMs = 1_000 }: JournalStreamOptions): JournalStream {
  const checkpoints = createCheckpoints({ host, logger });
  const groups = new Map<string, Promise<ConsumerGroup>>();
  const followers = new Set<JournalFollower>();
  const listeners = new Set<ActivityListener>();

  /** One for all subscriptions of a name, as long as the stream is open. */
  function groupNamed(name: string): Promise<ConsumerGroup> {
    const group = groups.get(name) ?? createConsumerGroup({ name, journal, checkpoints });
    groups.set(name, group);
    group.catch(() => groups.delete(name));
    return group;
  }

  return {
    takeoverMs: 0,
    append: async () => {
      for (const follower of followers) follower.wake();
    },
    notify: (activity: Activity) => {
      for (const listener of listeners) listener.offer(activity);
    },
    subscribe: async (subscription) => {
      const group = await groupNamed(subscription.group);
      const childLogger = logger.child({ group: subscription.group });
      const follower = followJournal({ group, journal, checkpoints, subscription, pollMs, logger: childLogger });
      followers.add(follower);
      return forgetting(followers, follower);
    },
    listen: async (group, handle) => {
      const listener = createActivityListener(handle, logger.child({ group }));
      listeners.add(listener);
      return forgetting(listeners, listener);
    },
    close: async () => {
      await Promise.all([...followers, ...listeners].map((member) => member.close()));
      followers.clear();
      listeners.clear();
    },
  };
}

function forgetting<M extends Subscription>(members: Set<M>, member: M): Subscription {
  return {
    ...member,
    close: async () => {
      members.delete(member);
      await member.close();
    },
  };
}
