/**
 * Where one client stands in the journal. Its states: behind (there may be more to read: every `next` reads a page), and level (all was
 * read: the tail of the journal makes it behind again). A failure to read makes it level for a while. The position moves only over what was
 * read, so backlog and live events are one row without a seam.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../shared/kernel/logger.js';
import type { JournalTail } from '../feed/create-journal-tail.js';
import { PAGE_EVENTS, type EventPages, type StreamedEvent } from './create-event-pages.js';
import { comment } from './frame.js';

const RETRY_MS = 1_000;

export interface EventCursor {
  /** The frames that are there now, in order of position. Empty until `wake` has been called again. */
  next(): Promise<readonly string[]>;
}

export function createEventCursor({
  after,
  framesOf,
  pages,
  tail,
  wake,
  ended,
  logger,
}: {
  readonly after: number;
  readonly framesOf: (event: StreamedEvent) => readonly string[];
  readonly pages: EventPages;
  readonly tail: JournalTail;
  readonly wake: () => void;
  readonly ended: AbortSignal;
  readonly logger: Logger;
}): EventCursor {
  let position = after;
  let isBehind = true;

  function becomeBehind(): void {
    if (ended.aborted) return;
    isBehind = true;
    wake();
  }

  async function tryLater(error: unknown): Promise<void> {
    logger.warn({ error, position }, 'The journal could not be read for the live stream; it is tried again');
    await pause(RETRY_MS, undefined, { signal: ended }).catch(() => undefined /* nobody waits for it any more */);
    becomeBehind();
  }

  return {
    next: async () => {
      if (!isBehind) return [];
      isBehind = false;
      try {
        const page = await pages(position);
        position = page.at(-1)?.position ?? position;
        if (page.length === PAGE_EVENTS) isBehind = true;
        else void tail.beyond(position, ended).then(becomeBehind, tryLater);
        return page.flatMap(framesOf);
      } catch (error) {
        void tryLater(error);
        return [comment('the journal cannot be read just now; nothing will be left out')];
      }
    },
  };
}
