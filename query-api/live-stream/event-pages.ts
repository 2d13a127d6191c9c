/** Reads the journal as frames, one page at a time. Clients at the same position, as nearly all are, share one read and one rendering. */
import type { Clock } from '../../shared/kernel/clock.js';
import type { JournalReader } from '../../shared/ports/journal.js';
import { activityFrame, eventFrame } from './frame.js';
import { storeActivity } from './store-activity.js';

/** Events with 64 KB of metadata each then take 3 MB for each client. */
export const PAGE_EVENTS = 50;

export type StreamedEvent = {
  readonly position: number;
  readonly frame: string;
  /** The activity frame of the same event; may be dropped for a slow client. */
  readonly activity: string | null;
};

/** The events after a position; fewer than PAGE_EVENTS at the end of the journal. Throws DependencyError. */
export type EventPages = (after: number) => Promise<readonly StreamedEvent[]>;

export function createEventPages({
  journal,
  clock,
}: {
  readonly journal: Pick<JournalReader, 'read'>;
  readonly clock: Clock;
}): EventPages {
  const running = new Map<number, Promise<readonly StreamedEvent[]>>();

  async function read(after: number): Promise<readonly StreamedEvent[]> {
    const events = await journal.read({ after, limit: PAGE_EVENTS });
    const seenAt = clock.now();
    return events.map((event) => {
      const activity = storeActivity(event, seenAt);
      return { position: event.position, frame: eventFrame(event), activity: activity && activityFrame(activity) };
    });
  }

  return (after) => {
    const page = running.get(after) ?? read(after).finally(() => running.delete(after));
    running.set(after, page);
    return page;
  };
}
