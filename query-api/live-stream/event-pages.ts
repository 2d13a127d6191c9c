/**
 * Reads the journal as frames, one page at a time. Clients at the same position, as nearly all are, share one read and
 * one rendering.
 */
import type { RecordedEvent, Watched } from '../../shared/contract/events.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { JournalReader } from '../../shared/ports/journal.js';
import { activityFrame, eventFrame } from './frame.js';

/** Events with 64 KB of metadata each then take 3 MB for each client. */
export const PAGE_EVENTS = 50;

export type StreamedEvent = {
  readonly position: number;
  /** Without its id. */
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

const PREVIEW_CHARACTERS = 100;
const TAGS_SHOWN = 5;

/**
 * The activity that existing clients expect for a stored memory. It is made from the event, so it needs no separate
 * message in the stream. Null for every other event. `elapsed_ms` is the time from the decision to `seenAt`; these
 * may be the clocks of two machines.
 */
export function storeActivity(event: RecordedEvent, seenAt: Date): Omit<Watched, 'kind'> | null {
  if (event.type !== 'memory.stored' || event.data === null) return null;
  const { id, content, type, importance, tags } = event.data.memory;
  return {
    type: 'memory.store',
    at: event.time,
    data: {
      id,
      content_preview: [...content].slice(0, PREVIEW_CHARACTERS).join(''),
      type,
      importance,
      tags: tags.slice(0, TAGS_SHOWN),
      size_bytes: Buffer.byteLength(content),
      elapsed_ms: Math.max(0, seenAt.getTime() - Date.parse(event.time)),
    },
  };
}
