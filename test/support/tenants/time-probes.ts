/** Times two requests in turns, so that the load of the machine is the same for both. */
export type Medians = { readonly one: number; readonly other: number };

export async function medianTimes(
  send: { readonly one: () => Promise<unknown>; readonly other: () => Promise<unknown> },
  pairs: number,
): Promise<Medians> {
  const times = { one: [] as number[], other: [] as number[] };
  for (let pair = 0; pair < pairs; pair += 1)
    // The second request of a pair may find caches that the first one has filled.
    for (const name of pair % 2 === 0 ? (['one', 'other'] as const) : (['other', 'one'] as const)) {
      const begun = performance.now();
      await send[name]();
      times[name].push(performance.now() - begun);
    }
  return { one: medianOf(times.one), other: medianOf(times.other) };
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
