/** Divides long work of the main thread into slices, so that other requests are answered between two of them. */
import { setImmediate } from 'node:timers/promises';

/** A slice ends after the step that reaches this time. Shorter work is not divided. */
export const SLICE_MS = 8;
/** The work that follows begins in a turn of its own if the last slice took longer than this. */
const REST_MS = 2;

export type Pacer = {
  /** Call it after each step of the work: a promise, when the slice is over, that resolves in the next one. */
  readonly pace: () => Promise<void> | undefined;
  /** Call it after the last step. */
  readonly end: () => Promise<void> | undefined;
};

/** `now`: a monotonic clock in ms. */
export function createPacer(now: () => number = () => performance.now()): Pacer {
  let begun = now();
  const rest = async (): Promise<void> => {
    await setImmediate();
    begun = now();
  };
  return {
    pace: () => (now() - begun >= SLICE_MS ? rest() : undefined),
    end: () => (now() - begun >= REST_MS ? rest() : undefined),
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
    const rest = pace();
    if (rest !== undefined) await rest;
  }
  await end();
  return results;
}
