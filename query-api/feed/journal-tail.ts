/**
 * Follows the end of the journal for all callers that wait for the next event. All of them share one poll of the head
 * at a time; without a waiting caller there is no poll.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { JournalReader } from '../../shared/ports/journal.js';

/** The largest delay of a frame of the live stream. A poll costs the journal one read of an index. */
export const TAIL_POLL_MS = 50;

export interface JournalTail {
  /**
   * Resolves with the head of the journal when a poll finds it above the position, or with null when the signal is
   * aborted. Throws DependencyError when the journal cannot be read.
   */
  beyond(position: number, signal: AbortSignal): Promise<number | null>;
}

export function createJournalTail({
  journal,
  pollMs = TAIL_POLL_MS,
}: {
  readonly journal: Pick<JournalReader, 'head'>;
  readonly pollMs?: number;
}): JournalTail {
  let nextPoll: Promise<number> | undefined;

  /** The head at the next poll; all callers until then share it. */
  function nextHead(): Promise<number> {
    nextPoll ??= (async () => {
      await pause(pollMs);
      nextPoll = undefined; // a later caller needs a newer head than the one that is read now
      return journal.head();
    })();
    return nextPoll;
  }

  return {
    beyond: async (position, signal) => {
      while (!signal.aborted) {
        const head = await nextHead();
        if (head > position) return head;
      }
      return null;
    },
  };
}
