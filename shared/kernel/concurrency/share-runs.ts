/** Divides one run of a piece of work among the callers that wait for it. */

/**
 * At most one run at a time. Callers that come during a run share the next one, so that what they get was found out
 * after they asked. A failure is the outcome of every caller of the run.
 */
export function shareRuns<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<void> | null = null;
  let next: Promise<T> | null = null;
  const end = (): void => {
    running = null;
  };
  const run = (): Promise<T> => {
    next = null;
    const outcome = work();
    running = outcome.then(end, end);
    return outcome;
  };
  return () => next ?? (running === null ? run() : (next = running.then(run)));
}
