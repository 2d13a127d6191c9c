/**
 * A database thread that starts again after it ended by itself. A call fails while no thread runs: it is not queued,
 * because its caller can try again. The pause before a start grows with each end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { delayMs, type Pace } from '../../../kernel/concurrency/backoff.js';
import { DependencyError } from '../../../kernel/errors.js';
import type { ThreadOptions } from './database-thread.js';
import { openThread, type Thread, type Watch } from './thread.js';

/** A thread that ran this long ended for a new reason. */
const STEADY_MS = 60_000;
const PACE: Pace = { idleMinimumMs: 0, idleMaximumMs: 0, failedMinimumMs: 100, failedMaximumMs: 10_000 };

/**
 * Resolves when the first thread is open. Rejects, without another attempt, when it does not open. `prepare` loads
 * what a thread keeps in memory, before its first call.
 */
export async function openRestartedThread(
  options: ThreadOptions,
  watch: Watch,
  prepare: (thread: Thread) => Promise<void> = () => Promise.resolve(),
): Promise<Thread> {
  const closing = new AbortController();
  let ends = 0;
  let openedAt = performance.now();
  let lastError: unknown;
  let restarting: Promise<void> | null = null;
  let thread = await open();

  async function open(): Promise<Thread> {
    let isPrepared = false;
    const opened = await openThread(options, {
      ...watch,
      onThreadEnd: (error) => (isPrepared ? restartAfter(error) : watch.onThreadEnd(error)),
    });
    try {
      await prepare(opened);
    } catch (error) {
      await opened.close();
      throw error;
    }
    isPrepared = true;
    return opened;
  }

  function restartAfter(error: Error): void {
    lastError = error;
    if (performance.now() - openedAt > STEADY_MS) ends = 0;
    watch.onThreadEnd(error);
    restarting = restart().finally(() => {
      restarting = null;
    });
  }

  async function restart(): Promise<void> {
    for (;;) {
      ends += 1;
      const waitMs = delayMs(
        PACE,
        { kind: 'failed', retryAfterSeconds: null },
        { repeats: ends, random: Math.random() },
      );
      try {
        await sleep(waitMs, undefined, { signal: closing.signal });
        thread = await open();
        openedAt = performance.now();
        return;
      } catch (error) {
        if (closing.signal.aborted) return;
        lastError = error;
      }
    }
  }

  function noThread(): DependencyError {
    return new DependencyError('journal', 'A database thread has ended and starts again: try again in a moment', {
      cause: lastError,
      retryAfterSeconds: 1,
    });
  }

  return {
    call: async (called, args, callOptions) => {
      if (!thread.isAlive() && !closing.signal.aborted) throw noThread();
      return thread.call(called, args, callOptions);
    },
    pending: () => thread.pending(),
    isAlive: () => thread.isAlive(),
    close: async () => {
      closing.abort();
      await restarting;
      await thread.close();
    },
  };
}
