/** Calls at a fixed rate, whatever the answers take. */
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls `work` with 0, 1, 2 ..., `perSecond` times a second, and resolves when all calls have ended. A call does not wait for the earlier ones,
 * so a slow service gets no relief from waiting callers.
 */
export async function atSteadyRate(
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  const startedAt = performance.now();
  const running: Promise<unknown>[] = [];
  for (let index = 0; index < perSecond * seconds; index += 1) {
    await pause(Math.max(0, startedAt + (index * 1_000) / perSecond - performance.now()));
    running.push(work(index));
  }
  await Promise.all(running);
}
