/** The activity frames that wait for one client, up to a limit. Further frames are dropped, and a last frame reports their number. */
import { type Clock, formatTimestamp } from '../../shared/kernel/clock.js';
import { activityFrame } from './frame.js';

export interface ActivityQueue {
  offer(frame: string): void;
  /** Returns all waiting frames in order; when frames were dropped, the last frame says how many. */
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
