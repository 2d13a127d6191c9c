/**
 * Runs one piece of long work and then pauses for a share of its time, so that this process and the engines have time
 * for callers.
 */
import { setTimeout as pause } from 'node:timers/promises';

/** `restPercent`: of the time of the work. Rejects like the work, and when the signal is aborted during the rest. */
export async function throttled<T>(
  { restPercent, signal }: { readonly restPercent: number; readonly signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  const restMs = ((performance.now() - startedAt) * restPercent) / 100;
  if (restMs >= 1) await pause(restMs, undefined, signal && { signal });
  return result;
}
