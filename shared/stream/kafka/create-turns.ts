/** Runs one piece of work at a time, in the order of the calls, whatever becomes of those before. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined /* told to whose turn it was */);
    return turn;
  };
}
