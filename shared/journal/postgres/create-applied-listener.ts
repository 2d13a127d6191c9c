/** Wakes whoever wants to know that rows became applied; listens again when its session was lost, and wakes for what it may have missed. */
import type { Pace } from '../../kernel/backoff.js';
import type { Logger } from '../../kernel/logger.js';
import { createLoop } from '../../kernel/loop.js';
import type { Postgres, Session } from '../../postgres/postgres.js';
import { APPLIED_CHANNEL } from './applied-channel.js';

/** An idle look costs nothing: the loss of the session wakes it. */
const PACE: Pace = { idleMinimumMs: 60_000, idleMaximumMs: 60_000, failedMinimumMs: 200, failedMaximumMs: 5_000 };

export interface AppliedListener {
  /** Answers how to stop it. */
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
  const wakers = new Set<() => void>();
  const closing = new AbortController();
  let session: Session | null = null;
  let running: Promise<void> | null = null;
  const wakeAll = (): void => wakers.forEach((wake) => wake());

  const loop = createLoop({
    pace: PACE,
    onFailure: (error, waitMs) => logger.warn({ error, waitMs }, 'the outbox is not listened to; it is polled'),
    step: async () => {
      if (session && !session.lost.aborted) return 'idle';
      await session?.close();
      session = await postgres.session();
      session.lost.addEventListener('abort', loop.wake);
      await session.listen(APPLIED_CHANNEL, wakeAll);
      wakeAll();
      return 'idle';
    },
  });

  return {
    listen: (wake) => {
      wakers.add(wake);
      running ??= loop.run(closing.signal);
      return () => void wakers.delete(wake);
    },
    close: async () => {
      closing.abort();
      await running;
      await session?.close();
    },
  };
}
