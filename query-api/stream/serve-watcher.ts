/**
 * One client of the live stream, from its first byte to its end: when it goes, when it takes nothing for too long, or when the server
 * stops. Journalled events are read as fast as it takes them and never dropped; activity waits in a bounded queue.
 */
import type { ReplySink } from '../../shared/http/handler.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { QueryConfig } from '../config.js';
import type { JournalTail } from '../feed/create-journal-tail.js';
import type { ActivityFeed } from './create-activity-feed.js';
import { createActivityQueue } from './create-activity-queue.js';
import { createBell } from './create-bell.js';
import { createEventCursor } from './create-event-cursor.js';
import type { EventPages, StreamedEvent } from './create-event-pages.js';
import { comment } from './frame.js';

export type Watcher = {
  /** Position behind which it begins. */
  readonly after: number;
  /** Events up to here are history: they come without the activity that went with them. */
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
  const { ring, wait } = createBell();
  const queue = createActivityQueue({ limit: queueFrames, clock });
  const cursor = createEventCursor({
    after: watcher.after,
    framesOf: framesFor(watcher),
    pages,
    tail,
    wake: ring,
    ended: end.signal,
    logger,
  });
  const unfollow =
    watcher.only === 'events'
      ? () => undefined
      : activity.follow((frame) => {
          queue.offer(frame);
          ring();
        });
  for (const signal of [sink.gone, sink.stopping]) signal.addEventListener('abort', ring, { signal: end.signal });

  /** False: there is nobody to send anything to. */
  async function send(frames: readonly string[]): Promise<boolean> {
    for (const frame of frames) {
      if (sink.stopping.aborted) return true; // whoever comes again gets the rest
      const outcome = await sink.write(frame, stallMs);
      if (outcome === 'stalled')
        await sink.write(
          comment(`nothing was taken for ${stallMs} ms: connect again, with the last id as Last-Event-ID`),
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
      const isSilent = frames.length === 0 && (await wait(keepAliveMs)) === 'silent';
      if (!(await send(isSilent ? [comment('keepalive')] : frames)) || sink.gone.aborted) return;
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
