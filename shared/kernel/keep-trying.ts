/** How a process that starts waits for the servers it needs: it tries again what waiting can mend, says so each time, and stops when told. */
import { abortAfter } from './abort-after.js';
import type { Pace } from './backoff.js';
import { DeadlineError, PalimpsestError } from './errors.js';
import type { Logger } from './logger.js';
import { createLoop } from './loop.js';

export type Patience = {
  readonly logger: Logger;
  /** Ends the waiting at once: the process was told to stop. */
  readonly signal: AbortSignal;
  /** For all attempts together; 0 waits for ever. */
  readonly timeoutMs: number;
};

/** A server takes 1 to 30 s to start, so nobody waits long for one that is there. */
const PACE: Pace = { idleMinimumMs: 0, idleMaximumMs: 0, failedMinimumMs: 500, failedMaximumMs: 5_000 };

/**
 * Resolves with the first success. Throws what no waiting mends, DeadlineError after the timeout, and the signal's reason. An attempt
 * that is under way then is left to the end of the process, which is near.
 */
export async function keepTrying<T>(
  server: string,
  attempt: () => Promise<T>,
  { logger, signal, timeoutMs }: Patience,
): Promise<T> {
  signal.throwIfAborted();
  const over = new AbortController();
  let latest = 'no answer yet';
  const outcome = new Promise<T>((resolve, reject) => {
    const loop = createLoop({
      step: async () => {
        try {
          resolve(await attempt());
          over.abort();
        } catch (error) {
          if (isPassing(error)) throw new Error(reasonOf(error)); // not itself: what it asks callers to wait is not our pace
          reject(error);
          over.abort();
        }
        return 'idle';
      },
      onFailure: (error, waitMs) => {
        latest = error instanceof Error ? error.message : String(error);
        logger.warn(
          { server },
          `${server} cannot be used yet: ${latest}; next try in ${(waitMs / 1_000).toFixed(1)} s`,
        );
      },
      pace: PACE,
    });
    void loop.run(over.signal);
  });
  const end = timeoutMs > 0 ? abortAfter(timeoutMs, signal) : signal;
  try {
    return await Promise.race([outcome, abortion(end, over.signal)]);
  } catch (error) {
    if (!end.aborted || signal.aborted) throw error;
    throw new DeadlineError(`${server} could not be used within ${timeoutMs} ms (START_TIMEOUT_MS): ${latest}`);
  } finally {
    over.abort();
  }
}

function isPassing(error: unknown): error is PalimpsestError {
  return error instanceof PalimpsestError && error.isRetryable;
}

/** One line: our words, and those of whoever failed. */
function reasonOf({ message, cause }: PalimpsestError): string {
  const [first = ''] = cause instanceof Error ? cause.message.split('\n') : [];
  return first === '' || message.includes(first) ? message : `${message} (${first})`;
}

/** Rejects when `end` is aborted; listens no longer than until `over`. */
function abortion(end: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    end.addEventListener('abort', () => reject(end.reason as Error), { once: true, signal: over });
  });
}
