/**
 * Follows the end of the journal for all that wait for what comes next: one read of its head at a time, however many wait, and none while
 * nobody does.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { JournalReader } from '../../shared/journal/journal.js';

/** A frame of the live stream is late by this at most; a look costs the journal one read of an index. */
export const TAIL_LOOK_MS = 50;

export interface JournalTail {
  /**
   * Resolves with the journal's head once a look finds it beyond the position; with null when the signal ends the wait. Throws
   * DependencyError when the journal cannot be read.
   */
  beyond(position: number, signal: AbortSignal): Promise<number | null>;
}

export function createJournalTail({
  journal,
  lookMs = TAIL_LOOK_MS,
}: {
  readonly journal: Pick<JournalReader, 'head'>;
  readonly lookMs?: number;
}): JournalTail {
  let look: Promise<number> | undefined;

  /** The head as of the next look; all that ask before it share it. */
  function nextHead(): Promise<number> {
    look ??= (async () => {
      await pause(lookMs);
      look = undefined; // whoever asks from here on may have missed what is read now
      return journal.head();
    })();
    return look;
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
