/**
 * How a starting process waits for the servers it needs: it repeats a retryable failure, logs each one, and stops when
 * its signal says so.
 */
import { DeadlineError, isRetryable, messageOf, type PalimpsestError } from '../errors.js';
import type { Logger } from '../logger.js';
import { rejectOnAbort, withTimeoutSignal } from './abort-signals.js';
import type { Pace } from './backoff.js';
import { createLoop } from './loop.js';

export type StartupRetry = {
  readonly logger: Logger;
  /** Ends the waiting immediately: the process is shutting down. */
  readonly signal: AbortSignal;
  /** For all attempts together; 0 waits without a limit. */
  readonly timeoutMs: number;
};

/** A server takes 1 to 30 s to start, so the wait after its start is short. */
const PACE: Pace = { idleMinimumMs: 0, idleMaximumMs: 0, failedMinimumMs: 500, failedMaximumMs: 5_000 };

/**
 * Resolves with the first success. Throws an error that is not retryable, DeadlineError after the timeout, or the
 * reason of the signal. An attempt that is running then is not stopped: the process ends soon.
 */
export async function retryStartup<T>(
  server: string,
  attempt: () => Promise<T>,
  { logger, signal, timeoutMs }: StartupRetry,
): Promise<T> {
  signal.throwIfAborted();
  const done = new AbortController();
  let lastProblem = 'no answer yet';
  const outcome = new Promise<T>((resolve, reject) => {
    const loop = createLoop({
      step: async () => {
        try {
          resolve(await attempt());
          done.abort();
        } catch (error) {
          // The loop would obey the `retryAfterSeconds` of the error itself, which is meant for callers.
          if (isRetryable(error)) throw new Error(reasonOf(error), { cause: error });
          reject(error);
          done.abort();
        }
        return 'idle';
      },
      onFailure: (error, waitMs) => {
        lastProblem = messageOf(error);
        logger.warn(
          { server },
          `${server} cannot be used yet: ${lastProblem}; next try in ${(waitMs / 1_000).toFixed(1)} s`,
        );
      },
      pace: PACE,
    });
    void loop.run(done.signal);
  });
  const wait = async (ended: AbortSignal): Promise<T> => {
    try {
      return await Promise.race([outcome, rejectOnAbort(ended, done.signal)]);
    } catch (error) {
      if (!ended.aborted || signal.aborted) throw error;
      throw new DeadlineError(`${server} could not be used within ${timeoutMs} ms (START_TIMEOUT_MS): ${lastProblem}`);
    } finally {
      done.abort();
    }
  };
  return timeoutMs > 0 ? withTimeoutSignal(timeoutMs, [signal], wait) : wait(signal);
}

/** One line: our message, then the first line of the cause. */
function reasonOf({ message, cause }: PalimpsestError): string {
  const [first = ''] = cause instanceof Error ? cause.message.split('\n') : [];
  return first === '' || message.includes(first) ? message : `${message} (${first})`;
}
