/** The instances of one API: takes them in turn, those that failed a moment ago last, and none that has all it can have. */
export type Instance = {
  readonly url: URL;
  /** Requests under way. */
  inFlight: number;
  /** On the monotonic clock; long ago for one that never failed. */
  failedAt: number;
};

export interface Balancer {
  /** Those that can take a request now, the one to try first at the head. Empty when all are full. */
  candidates(): readonly Instance[];
}

/** As nginx leaves an instance alone after a failure (`fail_timeout`). */
const REST_MS = 1_000;

export function createBalancer(
  urls: readonly URL[],
  { requestsPerInstance }: { readonly requestsPerInstance: number },
): Balancer {
  const instances = urls.map((url): Instance => ({ url, inFlight: 0, failedAt: -Infinity }));
  let turn = 0;
  return {
    candidates: () => {
      turn = (turn + 1) % instances.length;
      const now = performance.now();
      const isResting = ({ failedAt }: Instance): boolean => now - failedAt < REST_MS;
      const inTurn = [...instances.slice(turn), ...instances.slice(0, turn)].filter(
        ({ inFlight }) => inFlight < requestsPerInstance,
      );
      return [...inTurn.filter((instance) => !isResting(instance)), ...inTurn.filter(isResting)];
    },
  };
}
