/** Waits for a condition that can only be polled. */
import { createLoop } from './loop.js';

/**
 * Calls `isDone` every `everyMs` until it returns true. Rejects with its first failure, or with the reason of `signal`
 * when `signal` is aborted first; a call that is running at that moment still ends.
 */
export async function pollUntil(
  isDone: () => Promise<boolean>,
  { everyMs, signal }: { readonly everyMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const result: { isDone: boolean; readonly failures: unknown[] } = { isDone: false, failures: [] };
  const loop = createLoop({
    step: async () => {
      result.isDone = await isDone();
      if (result.isDone || signal.aborted) end();
      return 'idle';
    },
    onFailure: (error) => {
      result.failures.push(error);
      end();
    },
    pace: { idleMinimumMs: everyMs, idleMaximumMs: everyMs, failedMinimumMs: everyMs, failedMaximumMs: everyMs },
  });
  signal.addEventListener('abort', end);
  await loop.run(ending.signal);
  signal.removeEventListener('abort', end);
  if (result.failures.length > 0) throw result.failures[0];
  if (!result.isDone) throw signal.reason;
}
