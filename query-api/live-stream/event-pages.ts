/**
 * Reads the journal as frames, one page at a time. Watchers at the same position, as nearly all are, share one read and
 * the bytes that they are sent.
 */
import { LRUCache } from 'lru-cache';
import type { RecordedEvent, Watched } from '../../shared/contract/events.js';
import type { RequestContext } from '../../shared/http/handler.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { JournalReader } from '../../shared/ports/journal.js';
import { activityFrame, eventFrame, withId } from './frame.js';

/** Events with 64 KB of metadata each then take 3 MB. */
const PAGE_EVENTS = 50;
/** A full page is cached this long for watchers a little behind, and no longer: a deletion may erase its events. */
const CACHED_MS = 250;
const CACHED_PAGES = 8;

/** What a watcher sees of the journal. */
export type View = {
  readonly only?: 'events' | 'activity';
  /** Events up to this position are history: they come without their activity frames. */
  readonly liveAfter: number;
  readonly cursorOf: RequestContext['cursorOf'];
};

export type EventPage = {
  /** The position of the last event; null without events. */
  readonly last: number | null;
  /** False at the end of the journal. */
  readonly isFull: boolean;
  /** The frames of all events as UTF-8; empty when the view has none of them. */
  readonly bytesFor: (view: View) => Uint8Array;
};

/** The events after a position. Throws DependencyError. */
export type EventPages = (after: number) => Promise<EventPage>;

export function createEventPages({
  journal,
  clock,
  cachedMs = CACHED_MS,
}: {
  readonly journal: Pick<JournalReader, 'read'>;
  readonly clock: Clock;
  readonly cachedMs?: number;
}): EventPages {
  const running = new Map<number, Promise<EventPage>>();
  const cache = new LRUCache<number, EventPage>({ max: CACHED_PAGES, ttl: cachedMs, ttlAutopurge: true });

  async function read(after: number): Promise<EventPage> {
    const page = pageOf(await journal.read({ after, limit: PAGE_EVENTS }), clock.now());
    if (page.isFull) cache.set(after, page);
    return page;
  }

  return async (after) => {
    const known = cache.get(after) ?? running.get(after);
    if (known !== undefined) return known;
    const page = read(after).finally(() => running.delete(after));
    running.set(after, page);
    return page;
  };
}

function pageOf(events: readonly RecordedEvent[], seenAt: Date): EventPage {
  const [first] = events;
  const last = events.at(-1)?.position ?? null;
  const frames = events.map((event) => {
    const activity = storeActivity(event, seenAt);
    return { position: event.position, frame: eventFrame(event), activity: activity && activityFrame(activity) };
  });
  const rendered = new Map<string, Uint8Array>();

  function render({ only, liveAfter, cursorOf }: View): Uint8Array {
    const shown = frames.flatMap(({ position, frame, activity }) => [
      ...(only === 'activity' ? [] : [withId(cursorOf(position), frame)]),
      ...(only === 'events' || activity === null || position <= liveAfter ? [] : [activity]),
    ]);
    return Buffer.from(shown.join(''));
  }

  return {
    last,
    isFull: events.length === PAGE_EVENTS,
    bytesFor: (view) => {
      if (first === undefined || last === null) return new Uint8Array();
      // The same text for all views between which the page makes no difference.
      const liveAfter = Math.min(Math.max(view.liveAfter, first.position - 1), last);
      const key = `${view.only ?? ''} ${liveAfter} ${view.cursorOf(last)}`;
      const bytes = rendered.get(key) ?? render(view);
      rendered.set(key, bytes);
      return bytes;
    },
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
