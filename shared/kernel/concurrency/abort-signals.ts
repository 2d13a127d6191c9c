/** Abort signals as timers and as promises. */

/**
 * A signal that is aborted after `milliseconds`, or together with `other`. `AbortSignal.any([AbortSignal.timeout(...)])` does not work here:
 * Node 20 collects a timeout signal that only a derived signal refers to, before it fires, and the waiting caller waits forever. Here the
 * timer refers to both signals.
 */
export function abortAfter(milliseconds: number, other?: AbortSignal): AbortSignal {
  const timeout = new AbortController();
  const ended = other === undefined ? timeout.signal : AbortSignal.any([other, timeout.signal]);
  const timer = setTimeout(() => {
    if (!ended.aborted) timeout.abort(new DOMException(`${milliseconds} ms are over`, 'TimeoutError'));
  }, milliseconds);
  timer.unref(); // the timer keeps no process alive
  return ended;
}

/** Resolves when `signal` is aborted, or immediately if it already is. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Rejects with the reason of `signal` when it is aborted. Stops listening when `until` is aborted. */
export function rejectOnAbort(signal: AbortSignal, until: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: until });
  });
}
