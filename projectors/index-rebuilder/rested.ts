/** Rests after a piece of work, so that callers have the engines meanwhile. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RebuildRun } from './rebuild-ports.js';

export async function rested<T>(
  { restPercent, signal }: Pick<RebuildRun, 'restPercent' | 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  const restMs = ((performance.now() - startedAt) * restPercent) / 100;
  if (restMs >= 1) await pause(restMs, undefined, { signal });
  return result;
}
