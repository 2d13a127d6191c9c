/** Times two requests in turns, so that the load of the machine is the same for both. */
export type Times = { readonly one: number; readonly other: number };

/**
 * The fast times of each, in ms: other work on the machine only adds to a time, and often to the first request of each
 * pair alone, so that a median falls between two groups.
 */
export async function fastTimes(
  send: { readonly one: () => Promise<unknown>; readonly other: () => Promise<unknown> },
  pairs: number,
): Promise<Times> {
  const times = { one: [] as number[], other: [] as number[] };
  for (let pair = 0; pair < pairs; pair += 1)
    // The second request of a pair may find caches that the first one has filled.
    for (const name of pair % 2 === 0 ? (['one', 'other'] as const) : (['other', 'one'] as const)) {
      const begun = performance.now();
      await send[name]();
      times[name].push(performance.now() - begun);
    }
  return { one: fastOf(times.one), other: fastOf(times.other) };
}

const FAST_PART = 0.1;

function fastOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * FAST_PART)] ?? 0;
}
