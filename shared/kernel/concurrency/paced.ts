/** Divides long work of the main thread into slices, so that other requests are answered between two of them. */
import { setImmediate } from 'node:timers/promises';

/** A slice ends after the step that reaches this time. Shorter work is not divided. */
export const SLICE_MS = 8;
/** What follows divided work begins in a turn of its own if the last slice took longer than this. */
const LAST_SLICE_MS = 2;

export type Pacer = {
  /** Call it after each step of the work: a promise, when the slice is over, that resolves in the next one. */
  readonly pace: () => Promise<void> | undefined;
  /** Call it after the last step. */
  readonly end: () => Promise<void> | undefined;
};

/**
 * Resolves in the last turn of the event loop that a slice has taken. The slices of all work share this queue, because
 * Node runs all callbacks of setImmediate in one turn: the slices of 50 requests would take 400 ms.
 */
let lastTurn: Promise<void> = Promise.resolve();

function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

/** `now`: a monotonic clock in ms. */
export function createPacer(now: () => number = () => performance.now()): Pacer {
  let [begun, isDivided] = [now(), false];
  const pause = async (): Promise<void> => {
    isDivided = true;
    await nextTurn();
    begun = now();
  };
  return {
    pace: () => (now() - begun >= SLICE_MS ? pause() : undefined),
    end: () => (isDivided && now() - begun >= LAST_SLICE_MS ? pause() : undefined),
  };
}

/** The results of `work` for each item, in order. Rejects with the first error; the items after it do not run. */
export async function mapPaced<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => R,
  { pace, end }: Pacer = createPacer(),
): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    results.push(work(item, index));
    const pause = pace();
    if (pause !== undefined) await pause;
  }
  await end();
  return results;
}
