/**
 * Serves one client of the live stream until it disconnects, reads nothing for too long, or the server stops. Journalled events are read as
 * fast as the client takes them and are never dropped; activity waits in a bounded queue.
 */
import type { ReplySink } from '../../shared/http/handler.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { QueryConfig } from '../config.js';
import type { JournalTail } from '../feed/journal-tail.js';
import type { ActivityFeed } from './activity-feed.js';
import { createActivityQueue } from './activity-queue.js';
import { createEventCursor } from './event-cursor.js';
import type { EventPages, StreamedEvent } from './event-pages.js';
import { comment } from './frame.js';
import { createWakeSignal } from './wake-signal.js';

export type Watcher = {
  /** The stream begins after this position. */
  readonly after: number;
  /** Events up to this position are history: they come without their activity frames. */
  readonly liveAfter: number;
  readonly only?: 'events' | 'activity';
};

export type WatcherDependencies = {
  readonly pages: EventPages;
  readonly tail: JournalTail;
  readonly activity: Pick<ActivityFeed, 'follow'>;
  readonly config: Pick<QueryConfig['stream'], 'keepAliveMs' | 'stallMs' | 'queueFrames'>;
  readonly clock: Clock;
  readonly logger: Logger;
};

export async function serveWatcher(
  sink: ReplySink,
  watcher: Watcher,
  { pages, tail, activity, config, clock, logger }: WatcherDependencies,
): Promise<void> {
  const { keepAliveMs, stallMs, queueFrames } = config;
  const end = new AbortController();
  const { wake, wait } = createWakeSignal();
  const queue = createActivityQueue({ limit: queueFrames, clock });
  const cursor = createEventCursor({
    after: watcher.after,
    framesOf: framesFor(watcher),
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

  /** Returns false when the client is gone or stalled. */
  async function send(frames: readonly string[]): Promise<boolean> {
    for (const frame of frames) {
      if (sink.stopping.aborted) return true; // a client that connects again gets the rest
      const outcome = await sink.write(frame, stallMs);
      if (outcome === 'stalled')
        await sink.write(
          comment(`no data was read for ${stallMs} ms: connect again, with the last id as Last-Event-ID`),
          0,
        );
      if (outcome !== 'taken') return false;
    }
    return true;
  }

  async function serve(): Promise<void> {
    if (!(await send([comment('connected')]))) return;
    while (!sink.stopping.aborted) {
      const frames = [...queue.take(), ...(await cursor.next())];
      const isQuiet = frames.length === 0 && (await wait(keepAliveMs)) === 'timeout';
      if (!(await send(isQuiet ? [comment('keepalive')] : frames)) || sink.gone.aborted) return;
    }
    await sink.write(comment('the server stops: connect again, with the last id as Last-Event-ID'), 0);
  }

  await serve().finally(() => {
    end.abort();
    unfollow();
  });
}

function framesFor({ only, liveAfter }: Watcher): (event: StreamedEvent) => readonly string[] {
  return ({ frame, activity, position }) => [
    ...(only === 'activity' ? [] : [frame]),
    ...(only === 'events' || activity === null || position <= liveAfter ? [] : [activity]),
  ];
}
