/**
 * Abort signals as deadlines and as promises. A signal of several sources, or with a timeout, lives as long as the work
 * that gets it: then its listeners and its timer are removed, so a source that outlives many calls collects none.
 *
 * `AbortSignal.any` and `AbortSignal.timeout` are not used. They hold their sources weakly: after a garbage collection
 * Node 20 and Node 24 leave some of their signals unaborted forever, depending on whether a listener exists. Here
 * sources and timers hold the signal.
 */

/** The reason of requests that have ended. They share one, because to make an error takes longer than an abort. */
export const REQUEST_ENDED = new DOMException('The client has its answer or has closed its connection', 'AbortError');

/** Runs `work` with a signal that is aborted together with the first of `sources`, with the same reason. */
export async function withAnySignal<T>(
  sources: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const joined = new AbortController();
  const released = sources.map((source) => source && onAbort(source, () => joined.abort(source.reason)));
  try {
    return await work(joined.signal);
  } finally {
    for (const release of released) release?.();
  }
}

/**
 * Runs `work` with a signal that is aborted after `milliseconds`, with a `TimeoutError`, or together with the first of
 * `sources`.
 */
export async function withTimeoutSignal<T>(
  milliseconds: number,
  sources: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new DOMException(`${milliseconds} ms are over`, 'TimeoutError')),
    milliseconds,
  );
  try {
    return await withAnySignal([timeout.signal, ...sources], work);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when `signal` is aborted, or immediately if it already is. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    onAbort(signal, resolve);
  });
}

/** Rejects with the reason of `signal` when it is aborted. Stops listening when `until` is aborted. */
export function rejectOnAbort(signal: AbortSignal, until: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: until });
  });
}

/**
 * Calls `react` when `signal` is aborted, or immediately if it already is. Returns the function that stops listening.
 */
function onAbort(signal: AbortSignal, react: () => void): () => void {
  const listener = (): void => react();
  if (signal.aborted) react();
  else signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
