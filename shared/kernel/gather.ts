/**
 * Group commit: while one group is in flight the next one gathers, so many callers share one round trip. Large submissions have a lane
 * of their own and take turns with the small ones, so a small one waits for one foreign group at most.
 */
import { DeadlineError } from './errors.js';

export type Weight = { readonly count: number; readonly bytes: number };

export type GatherLimits = {
  /** A group takes items until one more would go beyond either; a heavier item is a group of its own. */
  readonly group: Weight;
  /** A submission heavier than this in count goes to the lane of the large ones. */
  readonly smallCount: number;
  /** What may wait in both lanes together; a submission beyond it is refused. */
  readonly queue: Weight;
};

export interface Gatherer<T, R> {
  /** How each item fared, in order. Throws DeadlineError when the queue is full: then none of them was taken. */
  submit(items: readonly T[]): Promise<readonly PromiseSettledResult<R>[]>;
}

type Entry<T, R> = {
  readonly item: T;
  readonly weight: Weight;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
};

export function createGatherer<T, R>({
  weigh,
  run,
  limits,
}: {
  readonly weigh: (item: T) => Weight;
  /** One result for each item, in order; a rejection is the result of all of them. */
  readonly run: (items: readonly T[]) => Promise<readonly R[]>;
  readonly limits: GatherLimits;
}): Gatherer<T, R> {
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
      // Behind the microtasks of this turn, so that what is submitted together travels together.
      queueMicrotask(() => void runGroups());
      return Promise.allSettled(results);
    },
  };

  async function runGroup(group: readonly Entry<T, R>[]): Promise<void> {
    try {
      const results = await run(group.map(({ item }) => item));
      for (const [index, entry] of group.entries()) {
        // `run` owes one result for each item; `R` may itself allow undefined.
        if (index < results.length) entry.resolve(results[index] as R);
        else entry.reject(new Error(`A group of ${group.length} came back with ${results.length} results`));
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
