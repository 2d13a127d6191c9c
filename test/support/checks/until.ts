/** Polls a condition until it holds or the deadline passes. Tests wait with it instead of sleeping for a fixed time. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Other work may share the cores. */
const DEADLINE_MS = 60_000;
const POLL_MS = 5;
/**
 * The pause grows with the time waited so far (5 %, at most 250 ms), so that polling does not slow the work that it
 * waits for.
 */
const [POLL_SHARE, LONGEST_POLL_MS] = [0.05, 250];

/**
 * Resolves with the first value that is not undefined, null or false. Rejects after the deadline, with `what` in the
 * message.
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const begin = performance.now();
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== null && value !== false) return value;
    const waitedMs = performance.now() - begin;
    if (waitedMs > deadlineMs) throw new Error(`Timed out after ${deadlineMs} ms waiting for: ${what}`);
    await sleep(Math.min(Math.max(POLL_MS, waitedMs * POLL_SHARE), LONGEST_POLL_MS));
  }
}
