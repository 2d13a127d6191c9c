/**
 * Calls of the same turn of the event loop become one call with many items, so that they share one message or one
 * request.
 */

type Waiting<T, R> = {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
};

export function batchTurn<T, R>({
  limit,
  run,
}: {
  /** Items in one call; further ones go in the next call, which does not wait for the first. */
  readonly limit: number;
  /** Returns one result for each item, in order. A rejection becomes the outcome of every item of the call. */
  readonly run: (items: readonly T[]) => Promise<readonly R[]>;
}): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];

  function runAll(): void {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += limit) void runSome(all.slice(start, start + limit));
  }

  async function runSome(some: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await run(some.map(({ item }) => item));
      if (results.length < some.length)
        throw new Error(`A call of ${some.length} items returned ${results.length} results`);
      for (const [index, { resolve }] of some.entries()) resolve(results[index] as R); // `R` itself may include undefined
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      // After the current microtasks, so that all calls of the turn have come.
      if (waiting.length === 0) queueMicrotask(runAll);
      waiting.push({ item, resolve, reject });
    });
}
