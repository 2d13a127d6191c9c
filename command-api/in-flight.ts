/** Runs one request for each Idempotency-Key at a time in this process: the next one waits and then finds what the first committed. */
import { raceDeadline } from '../shared/kernel/concurrency/within-deadline.js';
import { ConflictError } from '../shared/kernel/errors.js';

/** Runs the work once no other work with this key runs. With a null key it runs immediately. */
export type InFlight = <T>(key: string | null, work: () => Promise<T>) => Promise<T>;

export function createInFlight({ waitMs }: { readonly waitMs: number }): InFlight {
  /** Each promise resolves (never rejects) when the work with that key has ended. Bounded by the requests that the HTTP edge accepts. */
  const running = new Map<string, Promise<void>>();

  return async (key, work) => {
    if (key === null) return work();
    const deadline = performance.now() + waitMs;
    for (let other = running.get(key); other; other = running.get(key)) {
      if (!(await endsBefore(other, deadline))) {
        throw new ConflictError('A request with this Idempotency-Key is still in flight: send it again later', 1);
      }
    }
    const current = work();
    running.set(
      key,
      current.then(
        () => undefined,
        () => undefined,
      ),
    );
    try {
      return await current;
    } finally {
      running.delete(key);
    }
  };
}

function endsBefore(other: Promise<void>, deadline: number): Promise<boolean> {
  return raceDeadline(
    other.then(() => true),
    { milliseconds: Math.max(0, deadline - performance.now()), onDeadline: () => false },
  );
}
