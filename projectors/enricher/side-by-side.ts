/** Bounded work on many things: at most so many at a time, the results in the order of the things. */

/** Ends with the first that fails; what is under way then is not waited for. */
export async function sideBySide<T, R>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const rest = things.entries();
  const takeTurns = async (): Promise<void> => {
    for (const [at, thing] of rest) results[at] = await work(thing);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, takeTurns));
  return results;
}
