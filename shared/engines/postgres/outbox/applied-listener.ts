/**
 * Calls its listeners when outbox rows became applied. After a lost session it listens again, and calls them for
 * notifications that it may have missed.
 */
import type { Pace } from '../../../kernel/concurrency/backoff.js';
import { createLoop } from '../../../kernel/concurrency/loop.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Postgres, Session } from '../connection/postgres.js';

/** The channel that is notified after outbox rows became applied. */
export const APPLIED_CHANNEL = 'palimpsest_applied';

/** The idle delay is long because the loss of the session wakes the loop. */
const PACE: Pace = { idleMinimumMs: 60_000, idleMaximumMs: 60_000, failedMinimumMs: 200, failedMaximumMs: 5_000 };

export interface AppliedListener {
  /** Returns a function that removes the listener. */
  readonly listen: (wake: () => void) => () => void;
  close(): Promise<void>;
}

export function createAppliedListener({
  postgres,
  logger,
}: {
  readonly postgres: Postgres;
  readonly logger: Logger;
}): AppliedListener {
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  let session: Session | null = null;
  let running: Promise<void> | null = null;
  const notifyAll = (): void => listeners.forEach((wake) => wake());

  const loop = createLoop({
    pace: PACE,
    onFailure: (error, waitMs) =>
      logger.warn({ err: error, waitMs }, 'listening to the outbox failed: the relay polls'),
    step: async () => {
      if (session && !session.lost.aborted) return 'idle';
      await session?.close();
      session = await postgres.session();
      session.lost.addEventListener('abort', loop.wake);
      await session.listen(APPLIED_CHANNEL, notifyAll);
      notifyAll();
      return 'idle';
    },
  });

  return {
    listen: (wake) => {
      listeners.add(wake);
      running ??= loop.run(closing.signal);
      return () => void listeners.delete(wake);
    },
    close: async () => {
      closing.abort();
      await running;
      await session?.close();
    },
  };
}
