/**
 * The instances of one API, in round-robin order: instances that failed a moment ago come last, and full instances are
 * left out.
 */
export type Instance = {
  readonly url: URL;
  /** Running requests. */
  inFlight: number;
  /** Time of the last failure on the monotonic clock; -Infinity before the first failure. */
  failedAt: number;
};

export interface Balancer {
  /** The instances that can take a request now, in the order to try them. Empty when all are full. */
  candidates(): readonly Instance[];
}

/** For this long after a failure an instance comes last; the same as `fail_timeout` of nginx. */
const COOL_DOWN_MS = 1_000;

export function createBalancer(
  urls: readonly URL[],
  { requestsPerInstance }: { readonly requestsPerInstance: number },
): Balancer {
  const instances = urls.map((url): Instance => ({ url, inFlight: 0, failedAt: -Infinity }));
  let first = 0;
  return {
    candidates: () => {
      first = (first + 1) % instances.length;
      const now = performance.now();
      const isCoolingDown = ({ failedAt }: Instance): boolean => now - failedAt < COOL_DOWN_MS;
      const rotated = [...instances.slice(first), ...instances.slice(0, first)].filter(
        ({ inFlight }) => inFlight < requestsPerInstance,
      );
      return [...rotated.filter((instance) => !isCoolingDown(instance)), ...rotated.filter(isCoolingDown)];
    },
  };
}
