/**
 * Serves one client of the live stream until it disconnects, reads nothing for too long, or the server stops.
 * Journalled events are read as fast as the client takes them and are never dropped; activity waits in a bounded queue.
 */
import type { ReplySink } from '../../shared/http/handler.js';
import { type Clock, formatTimestamp } from '../../shared/kernel/clock.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { QueryConfig } from '../config.js';
import type { JournalTail } from '../feed/journal-tail.js';
import type { ActivityFeed } from './activity-feed.js';
import { createEventCursor } from './event-cursor.js';
import type { EventPages, View } from './event-pages.js';
import { activityFrame, comment } from './frame.js';

/** `after`: the stream begins after this position. */
export type Watcher = View & { readonly after: number };

export type WatcherDependencies = {
  readonly pages: EventPages;
  readonly tail: JournalTail;
  readonly activity: Pick<ActivityFeed, 'follow'>;
  readonly config: Pick<QueryConfig['stream'], 'keepAliveMs' | 'stallMs' | 'queueFrames'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when the client has every event so far: from there the stream only waits. */
  readonly endWork: () => void;
};

export async function serveWatcher(
  sink: ReplySink,
  watcher: Watcher,
  { pages, tail, activity, config, clock, logger, endWork }: WatcherDependencies,
): Promise<void> {
  const { keepAliveMs, stallMs, queueFrames } = config;
  const end = new AbortController();
  const { wake, wait } = createWakeSignal();
  const queue = createActivityQueue({ limit: queueFrames, clock });
  const cursor = createEventCursor({
    after: watcher.after,
    view: watcher,
    pages,
    tail,
    wake,
    ended: end.signal,
    logger,
  });
  const unfollow =
    watcher.only === 'events'
      ? () => undefined
      : activity.follow((frame) => {
          queue.offer(frame);
          wake();
        });
  for (const signal of [sink.gone, sink.stopping]) signal.addEventListener('abort', wake, { signal: end.signal });

  /** Frames in one write, which costs as much as each frame would. Returns false when the client is gone or stalled. */
  async function send(frames: string | Uint8Array): Promise<boolean> {
    if (frames.length === 0 || sink.stopping.aborted) return true; // a client that connects again gets the rest
    const outcome = await sink.write(frames, stallMs);
    if (outcome === 'stalled')
      await sink.write(
        comment(`no data was read for ${stallMs} ms: connect again, with the last id as Last-Event-ID`),
        0,
      );
    return outcome === 'taken';
  }

  async function serve(): Promise<void> {
    if (!(await send(comment('connected')))) return;
    while (!sink.stopping.aborted) {
      const activities = queue.take().join('');
      const events = await cursor.next();
      const hasNone = activities.length + events.length === 0;
      if (hasNone) endWork();
      const isQuiet = hasNone && (await wait(keepAliveMs)) === 'timeout';
      const isTaken = (await send(isQuiet ? comment('keepalive') : activities)) && (await send(events));
      if (!isTaken || sink.gone.aborted) return;
    }
    await sink.write(comment('the server stops: connect again, with the last id as Last-Event-ID'), 0);
  }

  await serve().finally(() => {
    end.abort();
    unfollow();
  });
}

interface ActivityQueue {
  offer(frame: string): void;
  /** Returns all waiting frames in order; when frames were dropped, the last frame says how many. */
  take(): readonly string[];
}

/**
 * The activity frames that wait for one client, up to a limit. Further frames are dropped, and a last frame reports
 * their number.
 */
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

interface WakeSignal {
  readonly wake: () => void;
  /** Waits for a wake-up, for at most this long. */
  readonly wait: (milliseconds: number) => Promise<'woken' | 'timeout'>;
}

/** Wakes one waiting caller. A wake-up without a waiting caller is kept for the next one. */
export function createWakeSignal(): WakeSignal {
  let isWoken = false;
  let endWait: (() => void) | null = null;
  return {
    wake: () => {
      isWoken = true;
      endWait?.();
    },
    wait: async (milliseconds) => {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          endWait = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      endWait = null;
      const outcome = isWoken ? 'woken' : 'timeout';
      isWoken = false;
      return outcome;
    },
  };
}
