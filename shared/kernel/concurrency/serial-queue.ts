/** Runs one piece of work at a time, in the order of the calls. A failure does not stop the work behind it. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

/** The returned function gives the outcome of its own `work`. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const outcome = last.then(work);
    last = outcome.catch(() => undefined /* the caller already received the error */);
    return outcome;
  };
}
