/** One request per Idempotency-Key at a time in this process: the next waits for the first and then finds what it committed. */
import { ConflictError } from '../shared/kernel/errors.js';

/** Does the work once nobody else with this key does. Null: no key, no waiting. */
export type InFlight = <T>(key: string | null, work: () => Promise<T>) => Promise<T>;

export function createInFlight({ waitMs }: { readonly waitMs: number }): InFlight {
  /** Settles (never rejects) when the work under that key is over. Bounded by the requests that the edge lets in. */
  const running = new Map<string, Promise<void>>();

  return async (key, work) => {
    if (key === null) return work();
    const deadline = performance.now() + waitMs;
    for (let other = running.get(key); other; other = running.get(key)) {
      if (!(await endsBefore(other, deadline))) {
        throw new ConflictError('A request with this Idempotency-Key is still in flight: send it again later', 1);
      }
    }
    const mine = work();
    running.set(
      key,
      mine.then(
        () => undefined,
        () => undefined,
      ),
    );
    try {
      return await mine;
    } finally {
      running.delete(key);
    }
  };
}

async function endsBefore(other: Promise<void>, deadline: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, deadline - performance.now()));
  });
  const ended = await Promise.race([other.then(() => true as const), late]);
  clearTimeout(timer);
  return ended;
}
