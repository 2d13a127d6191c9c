/** Waiting for a condition, never for a time: asks again at once, with a breath between, until it holds or the deadline is over. */
import { setTimeout as breathe } from 'node:timers/promises';

/** Resolves with the first value that is neither undefined, null nor false; rejects with `what` after the deadline. */
export async function until<T>(what: string, ask: () => Promise<T | undefined | null | false> | T | undefined | null | false, deadlineMs = 15_000): Promise<T> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const value = await ask();
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > end) throw new Error(`Still not so after ${deadlineMs} ms: ${what}`);
    await breathe(5);
  }
}
