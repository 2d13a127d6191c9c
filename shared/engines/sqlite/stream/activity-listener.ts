/** One activity listener: a bounded buffer, which each delivery empties. Activity that does not fit is lost. */
import type { Activity } from '../../../contract/events.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Subscription } from '../../../ports/stream.js';

/** Activities in the buffer while the handler is busy; more are dropped. */
export const ACTIVITY_BUFFER = 1_000;

export type ActivityListener = Subscription & { readonly offer: (activity: Activity) => void };

export function createActivityListener(
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
