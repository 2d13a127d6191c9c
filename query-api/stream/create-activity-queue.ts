/** The activity that waits for one client: so many frames and no more. What does not fit is lost, and the client is told how many that were. */
import { formatTimestamp, type Clock } from '../../shared/kernel/clock.js';
import { activityFrame } from './frame.js';

export interface ActivityQueue {
  offer(frame: string): void;
  /** All that waits, in order; where some were lost behind them, the last frame says so. */
  take(): readonly string[];
}

export function createActivityQueue({
  limit,
  clock,
}: {
  readonly limit: number;
  readonly clock: Clock;
}): ActivityQueue {
  let waiting: string[] = [];
  let dropped = 0;
  return {
    offer: (frame) => {
      if (waiting.length < limit) waiting.push(frame);
      else dropped += 1;
    },
    take: () => {
      const taken = waiting;
      if (dropped > 0)
        taken.push(
          activityFrame({ type: 'stream.dropped', at: formatTimestamp(clock.now()), data: { count: dropped } }),
        );
      waiting = [];
      dropped = 0;
      return taken;
    },
  };
}
