/**
 * Receives activity from the stream for all watchers of this process. It uses a consumer group of its own, because
 * every process must receive all activity, and it runs in the background: without the stream the watchers miss only the
 * activity.
 */
import type { Activity } from '../../shared/contract/events.js';
import { aborted } from '../../shared/kernel/concurrency/abort-signals.js';
import { createLoop } from '../../shared/kernel/concurrency/loop.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { EventSource } from '../../shared/ports/stream.js';
import { activityFrame } from './frame.js';

export interface ActivityFeed {
  /**
   * Passes every frame from now on to `receive`, which must not block or throw. Returns the function that ends this.
   */
  follow(receive: (frame: string) => void): () => void;
  close(): Promise<void>;
}

const PACE = { idleMinimumMs: 0, idleMaximumMs: 0, failedMinimumMs: 1_000, failedMaximumMs: 30_000 };

/** `instance`: a unique name for each process. */
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

  async function forward(activities: readonly Activity[]): Promise<void> {
    if (followers.size === 0) return;
    for (const activity of activities) {
      if (activity.kind !== 'watched') continue;
      const frame = activityFrame(activity);
      for (const follower of followers) follower(frame);
    }
  }

  const loop = createLoop({
    step: async (signal) => {
      const subscription = await source.listen(`live-stream-${instance}`, forward, signal);
      await aborted(signal);
      await subscription.close();
      return 'idle';
    },
    onFailure: (error, waitMs) => {
      if (!stop.signal.aborted) logger.warn({ err: error, waitMs }, 'live stream receives no activity, retrying');
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
