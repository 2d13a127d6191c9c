/** Calls at a steady rate, whatever the answers take: a service that falls behind is not spared by callers who wait for it. */
import { setTimeout as pause } from 'node:timers/promises';

/** Calls `work` with 0, 1, 2 ..., `perSecond` times a second for so many seconds; resolves when all have been answered. */
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
