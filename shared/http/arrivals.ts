/**
 * Knows whether a burst of new connections arrives. Node accepts one connection in each turn of its event loop. With
 * long turns of work a burst of 400 connections took eight seconds, and the request of another caller waited behind it.
 * So no work begins while a burst arrives: its turns are short, and afterwards the callers take turns.
 */
export type Arrivals = {
  /** Called with each new connection. */
  readonly onConnection: () => void;
  readonly isBurst: () => boolean;
  /** Calls `listener` at the end of each burst. */
  readonly onEnd: (listener: () => void) => void;
};

/** Work begins after this time although connections still arrive, in ms. */
const LONGEST_MS = 500;

export const NO_ARRIVALS: Arrivals = { onConnection: () => undefined, isBurst: () => false, onEnd: () => undefined };

export function createArrivals(): Arrivals {
  const listeners: (() => void)[] = [];
  let begunAt: number | null = null;
  let hasArrived = false;

  function endTurn(): void {
    if (begunAt !== null && hasArrived && performance.now() - begunAt < LONGEST_MS) {
      hasArrived = false;
      setImmediate(endTurn);
      return;
    }
    begunAt = null;
    for (const listener of listeners) listener();
  }

  return {
    onConnection: () => {
      hasArrived = true;
      if (begunAt !== null) return;
      begunAt = performance.now();
      setImmediate(endTurn);
    },
    isBurst: () => begunAt !== null,
    onEnd: (listener) => void listeners.push(listener),
  };
}
