/** The journal as frames, a page at a time. Clients that are at the same place, as nearly all are, share one read and one rendering. */
import type { JournalReader } from '../../shared/journal/journal.js';
import type { Clock } from '../../shared/kernel/clock.js';
import { activityFrame, eventFrame } from './frame.js';
import { storeActivity } from './store-activity.js';

/** Events with 64 KB of metadata each are then 3 MB a client. */
export const PAGE_EVENTS = 50;

export type StreamedEvent = {
  readonly position: number;
  readonly frame: string;
  /** The lossy frame that goes with it for those who want activity. */
  readonly activity: string | null;
};

/** The events behind a position; fewer than PAGE_EVENTS when there are no more. Throws DependencyError. */
export type EventPages = (after: number) => Promise<readonly StreamedEvent[]>;

export function createEventPages({
  journal,
  clock,
}: {
  readonly journal: Pick<JournalReader, 'read'>;
  readonly clock: Clock;
}): EventPages {
  const underWay = new Map<number, Promise<readonly StreamedEvent[]>>();

  async function read(after: number): Promise<readonly StreamedEvent[]> {
    const events = await journal.read({ after, limit: PAGE_EVENTS });
    const seenAt = clock.now();
    return events.map((event) => {
      const activity = storeActivity(event, seenAt);
      return { position: event.position, frame: eventFrame(event), activity: activity && activityFrame(activity) };
    });
  }

  return (after) => {
    const page = underWay.get(after) ?? read(after).finally(() => underWay.delete(after));
    underWay.set(after, page);
    return page;
  };
}
