/** Waiting for a condition, never for a time: asks again and again, with a breath between, until it holds or the deadline is over. */
import { setTimeout as breathe } from 'node:timers/promises';

const BREATH_MS = 5;
/** What is long in coming has work to do, from which being asked all the time would take: a breath grows to a share of the wait so far. */
const [BREATH_SHARE, LONG_BREATH_MS] = [0.02, 100];

/** Resolves with the first value that is neither undefined, null nor false; rejects with `what` after the deadline. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  deadlineMs = 15_000,
): Promise<T> {
  const begin = performance.now();
  for (;;) {
    const value = await ask();
    if (value !== undefined && value !== null && value !== false) return value;
    const waitedMs = performance.now() - begin;
    if (waitedMs > deadlineMs) throw new Error(`Still not so after ${deadlineMs} ms: ${what}`);
    await breathe(Math.min(Math.max(BREATH_MS, waitedMs * BREATH_SHARE), LONG_BREATH_MS));
  }
}
