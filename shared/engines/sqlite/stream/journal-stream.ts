/**
 * The stream of the embedded composition: the journal is the log, so `append` writes nothing and only wakes the
 * followers. Each consumer group keeps a checkpoint in the same database. Activity is passed on inside the process.
 */
import type { Activity } from '../../../contract/events.js';
import { raceDeadline } from '../../../kernel/concurrency/within-deadline.js';
import type { Logger } from '../../../kernel/logger.js';
import type { JournalReader } from '../../../ports/journal.js';
import type { EventPublisher, EventSource, Subscription } from '../../../ports/stream.js';
import type { SqliteHost } from '../threads/host.js';
import { createCheckpoints } from './checkpoints.js';
import { type ConsumerGroup, createConsumerGroup } from './consumer-group.js';
import { followJournal, type JournalFollower } from './follow-journal.js';

export type JournalStream = EventPublisher &
  EventSource & {
    /** The progress of a group, without a query. */
    readonly progressOf: (group: string) => GroupProgress;
    readonly close: () => Promise<void>;
  };

export type GroupProgress = {
  /** The last committed position of the journal. The first call reads it. */
  readonly head: () => Promise<number>;
  /** Everything up to it is handled; 0 without a subscription. */
  readonly position: () => number;
  /** Resolves when the position is reached, or after this time. */
  readonly reached: (position: number, milliseconds: number) => Promise<void>;
};

export type JournalStreamOptions = {
  readonly host: SqliteHost;
  readonly journal: Pick<JournalReader, 'read' | 'head'>;
  readonly logger: Logger;
  /** Without a wake-up, a follower reads the journal again after this long. */
  readonly pollMs?: number;
};

export function createJournalStream({ host, journal, logger, pollMs = 1_000 }: JournalStreamOptions): JournalStream {
  const checkpoints = createCheckpoints({ host, logger });
  const groups = new Map<string, Promise<ConsumerGroup>>();
  const followers = new Set<JournalFollower>();
  const listeners = new Set<ActivityListener>();
  const opened = new Map<string, ConsumerGroup>();
  let head: number | null = null;
  let appended = 0;

  async function currentHead(): Promise<number> {
    head ??= await journal.head();
    return Math.max(head, appended);
  }

  /** All subscriptions of one name share one group while the stream is open. */
  function groupNamed(name: string): Promise<ConsumerGroup> {
    const group = groups.get(name) ?? createConsumerGroup({ name, journal, checkpoints });
    groups.set(name, group);
    group.then(
      (ready) => opened.set(name, ready),
      () => groups.delete(name),
    );
    return group;
  }

  return {
    takeoverMs: 0,
    append: async (events) => {
      appended = events.reduce((last, { position }) => Math.max(last, position), appended);
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
      return removeOnClose(followers, follower);
    },
    listen: async (group, handle) => {
      const listener = createActivityListener(handle, logger.child({ group }));
      listeners.add(listener);
      return removeOnClose(listeners, listener);
    },
    progressOf: (name) => ({
      head: currentHead,
      position: () => opened.get(name)?.position() ?? 0,
      reached: async (position, milliseconds) => {
        const given = new AbortController();
        const passed = opened.get(name)?.waitForPosition(position, given.signal) ?? new Promise(() => undefined);
        await raceDeadline(
          passed.catch(() => undefined),
          { milliseconds, onDeadline: () => given.abort() },
        );
      },
    }),
    close: async () => {
      await Promise.all([...followers, ...listeners].map((member) => member.close()));
      followers.clear();
      listeners.clear();
    },
  };
}

function removeOnClose<M extends Subscription>(members: Set<M>, member: M): Subscription {
  return {
    ...member,
    close: async () => {
      members.delete(member);
      await member.close();
    },
  };
}

/** Activities in the buffer while the handler is busy; more are dropped. */
const ACTIVITY_BUFFER = 1_000;

type ActivityListener = Subscription & { readonly offer: (activity: Activity) => void };

/** One activity listener: a bounded buffer, which each delivery empties. Activity that does not fit is lost. */
function createActivityListener(
  handle: (activities: readonly Activity[]) => Promise<void>,
  logger: Logger,
): ActivityListener {
  let buffer: Activity[] = [];
  let delivering: Promise<void> | null = null;
  let isPaused = false;
  let isClosed = false;

  async function deliver(): Promise<void> {
    while (buffer.length > 0 && !isPaused) {
      const activities = buffer;
      buffer = [];
      try {
        await handle(activities);
      } catch (err) {
        logger.warn({ err, lost: activities.length }, 'activity was lost: its listener failed');
      }
    }
    delivering = null;
  }

  function start(): void {
    if (delivering === null && buffer.length > 0 && !isPaused) delivering = Promise.resolve().then(deliver);
  }

  return {
    offer: (activity) => {
      if (isClosed || buffer.length >= ACTIVITY_BUFFER) return;
      buffer.push(activity);
      start();
    },
    position: () => 0,
    settled: async () => {
      while (delivering !== null) await delivering;
    },
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
      start();
    },
    close: async () => {
      isClosed = true;
      while (delivering !== null) await delivering;
    },
  };
}
