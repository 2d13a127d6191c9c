/**
 * Runs one piece of long work and then pauses for a share of its time, so that this process and the engines have time
 * for callers.
 */
import { setTimeout as pause } from 'node:timers/promises';

/** `pausePercent`: of the time of the work. Rejects like the work, and when the signal is aborted during the pause. */
export async function throttled<T>(
  { pausePercent, signal }: { readonly pausePercent: number; readonly signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  const pauseMs = ((performance.now() - startedAt) * pausePercent) / 100;
  if (pauseMs >= 1) await pause(pauseMs, undefined, signal && { signal });
  return result;
}
