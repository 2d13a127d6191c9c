/**
 * Hears what happens in passing, for all who watch at this process. It listens as a group of its own, because every process is to hear
 * everything, and in the background: a stream that cannot be reached costs its watchers the activity and nothing else.
 */
import type { Activity } from '../../shared/contract/events.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { createLoop } from '../../shared/kernel/loop.js';
import type { EventSource } from '../../shared/stream/stream.js';
import { activityFrame } from './frame.js';

export interface ActivityFeed {
  /** Hands over every frame from now on, in passing; `hear` neither waits nor throws. Gives what ends it. */
  follow(hear: (frame: string) => void): () => void;
  close(): Promise<void>;
}

const PACE = { idleMinimumMs: 0, idleMaximumMs: 0, failedMinimumMs: 1_000, failedMaximumMs: 30_000 };

/** `instance`: no two processes that are to hear everything have the same. */
export function createActivityFeed({
  source,
  instance,
  logger,
}: {
  readonly source: Pick<EventSource, 'listen'>;
  readonly instance: string;
  readonly logger: Logger;
}): ActivityFeed {
  const followers = new Set<(frame: string) => void>();
  const stop = new AbortController();

  async function hear(activities: readonly Activity[]): Promise<void> {
    if (followers.size === 0) return;
    for (const activity of activities) {
      if (activity.kind !== 'watched') continue;
      const frame = activityFrame(activity);
      for (const follower of followers) follower(frame);
    }
  }

  const loop = createLoop({
    step: async (signal) => {
      const subscription = await source.listen(`live-stream-${instance}`, hear, signal);
      await aborted(signal);
      await subscription.close();
      return 'idle';
    },
    onFailure: (error, waitMs) => {
      if (!stop.signal.aborted)
        logger.warn({ error, waitMs }, 'Those who watch the live stream hear no activity; it is tried again');
    },
    pace: PACE,
  });
  const running = loop.run(stop.signal);

  return {
    follow: (follower) => {
      followers.add(follower);
      return () => followers.delete(follower);
    },
    close: async () => {
      stop.abort();
      await running;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
