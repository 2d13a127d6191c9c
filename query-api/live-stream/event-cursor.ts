/**
 * The position of one client in the journal. It has two states. Behind: there may be more to read, and every `next`
 * reads a page. Level: everything was read; the tail of the journal makes it behind again. A failed read makes it level
 * for RETRY_MS. The position moves only over events that were read, so the backlog and the live events form one
 * sequence without a gap.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../shared/kernel/logger.js';
import type { JournalTail } from '../feed/journal-tail.js';
import type { EventPages, View } from './event-pages.js';
import { comment } from './frame.js';

const RETRY_MS = 1_000;

export interface EventCursor {
  /** Returns the next frames in order of position. Empty until `wake` has been called again. */
  next(): Promise<string | Uint8Array>;
}

export function createEventCursor({
  after,
  view,
  pages,
  tail,
  wake,
  ended,
  logger,
}: {
  readonly after: number;
  readonly view: View;
  readonly pages: EventPages;
  readonly tail: JournalTail;
  readonly wake: () => void;
  readonly ended: AbortSignal;
  readonly logger: Logger;
}): EventCursor {
  let position = after;
  let isBehind = true;

  function readAgain(): void {
    if (ended.aborted) return;
    isBehind = true;
    wake();
  }

  async function retryLater(error: unknown): Promise<void> {
    logger.warn({ err: error, position }, 'reading the journal for the live stream failed, retrying');
    await pause(RETRY_MS, undefined, { signal: ended }).catch(() => undefined /* the client has gone */);
    readAgain();
  }

  return {
    next: async () => {
      if (!isBehind) return '';
      isBehind = false;
      try {
        const page = await pages(position);
        position = page.last ?? position;
        if (page.isFull) isBehind = true;
        else void tail.beyond(position, ended).then(readAgain, retryLater);
        return page.bytesFor(view);
      } catch (error) {
        void retryLater(error);
        return comment('the journal cannot be read now; the stream continues later without a gap');
      }
    },
  };
}
