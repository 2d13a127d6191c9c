/**
 * Group commit: while one group of items is in flight, the next group collects, so many callers share one round trip.
 * Large submissions have their own lane. The two lanes take turns, so a small submission waits for at most one group of
 * a large one.
 */
import { DeadlineError } from '../errors.js';
import { withoutSpan } from '../tracing/tracing.js';

export type Weight = { readonly count: number; readonly bytes: number };

export type BatchLimits = {
  /**
   * A group takes items until the next one would exceed one of these limits. An item above a limit forms a group alone.
   */
  readonly group: Weight;
  /** A submission with more items than this goes to the lane for large submissions. */
  readonly smallCount: number;
  /** The limit of both lanes together. A submission that would exceed it is rejected. */
  readonly queue: Weight;
};

export interface Batcher<T, R> {
  /**
   * The outcome of each item, in order. Throws DeadlineError when the queue is full; none of the items is then taken.
   */
  submit(items: readonly T[]): Promise<readonly PromiseSettledResult<R>[]>;
}

type Entry<T, R> = {
  readonly item: T;
  readonly weight: Weight;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
};

export function createBatcher<T, R>({
  weigh,
  run,
  limits,
}: {
  readonly weigh: (item: T) => Weight;
  /** Returns one result for each item, in order. A rejection becomes the outcome of every item. */
  readonly run: (items: readonly T[]) => Promise<readonly R[]>;
  readonly limits: BatchLimits;
}): Batcher<T, R> {
  const small: Entry<T, R>[] = [];
  const large: Entry<T, R>[] = [];
  let waiting: Weight = { count: 0, bytes: 0 };
  let isRunning = false;
  let wasSmall = false;

  async function runGroups(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let group = nextGroup(); group.length > 0; group = nextGroup()) await runGroup(group);
    isRunning = false;
  }

  function nextGroup(): Entry<T, R>[] {
    wasSmall = small.length > 0 && (large.length === 0 || !wasSmall);
    const group = takeGroup(wasSmall ? small : large, limits.group);
    for (const { weight } of group) waiting = plus(waiting, weight, -1);
    return group;
  }

  return {
    async submit(items) {
      const weights = items.map(weigh);
      const total = weights.reduce((sum, weight) => plus(sum, weight), { count: 0, bytes: 0 });
      if (waiting.count > 0 && exceeds(plus(waiting, total), limits.queue)) {
        throw new DeadlineError('Too many changes wait to be written: try again in a moment');
      }
      waiting = plus(waiting, total);
      const lane = total.count > limits.smallCount ? large : small;
      const results = items.map(
        (item, index) =>
          new Promise<R>((resolve, reject) => {
            lane.push({ item, weight: weights[index] ?? total, resolve, reject });
          }),
      );
      // After the current microtasks, so that submissions of the same turn share a group. The groups may be of several
      // requests.
      queueMicrotask(() => void withoutSpan(runGroups));
      return Promise.allSettled(results);
    },
  };

  async function runGroup(group: readonly Entry<T, R>[]): Promise<void> {
    try {
      const results = await run(group.map(({ item }) => item));
      for (const [index, entry] of group.entries()) {
        // `run` must return one result for each item; `R` itself may include undefined.
        if (index < results.length) entry.resolve(results[index] as R);
        else entry.reject(new Error(`A group of ${group.length} items returned ${results.length} results`));
      }
    } catch (error) {
      for (const entry of group) entry.reject(error);
    }
  }
}

function takeGroup<E extends { readonly weight: Weight }>(lane: E[], limit: Weight): E[] {
  let taken = 0;
  let sum: Weight = { count: 0, bytes: 0 };
  for (const { weight } of lane) {
    sum = plus(sum, weight);
    if (taken > 0 && exceeds(sum, limit)) break;
    taken += 1;
  }
  return lane.splice(0, taken);
}

function plus(a: Weight, b: Weight, sign: 1 | -1 = 1): Weight {
  return { count: a.count + sign * b.count, bytes: a.bytes + sign * b.bytes };
}

function exceeds(weight: Weight, limit: Weight): boolean {
  return weight.count > limit.count || weight.bytes > limit.bytes;
}
