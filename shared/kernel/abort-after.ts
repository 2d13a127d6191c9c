/**
 * A signal that is aborted after so long, or with the other one. It is not `AbortSignal.any` of `AbortSignal.timeout`: a timeout that nothing
 * holds but a signal made from it is collected before it fires (Node 20), and whoever waits for it waits for ever. Here the timer holds both.
 */
export function abortAfter(milliseconds: number, other?: AbortSignal): AbortSignal {
  const timeout = new AbortController();
  const ended = other === undefined ? timeout.signal : AbortSignal.any([other, timeout.signal]);
  const timer = setTimeout(() => {
    if (!ended.aborted) timeout.abort(new DOMException(`${milliseconds} ms are over`, 'TimeoutError'));
  }, milliseconds);
  timer.unref(); // it keeps no process
  return ended;
}
