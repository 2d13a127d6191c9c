/** Checks whether the service behind the bridge answers, with one check at a time however many callers ask. */
import { createClient } from '../../../shared/client/http-client.js';
import { type Clock, formatTimestamp } from '../../../shared/kernel/clock.js';

export type ServiceState = {
  readonly upstream: 'unknown' | 'reachable' | 'unreachable';
  readonly error: string | null;
  /** The answer of the service's `/health`. */
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly checkedAt: string | null;
};

export interface ServiceWatch {
  /** The result of the last check. */
  lastState(): ServiceState;
  /** Checks the service; callers within 2 s share one check. Never rejects. */
  check(): Promise<ServiceState>;
}

const TIMEOUT_MS = 5_000;
/** Orchestrators and load balancers each ask every few seconds, and the service pings its stores for every answer. */
const FRESH_MS = 2_000;

export function watchService({
  baseUrl,
  userAgent,
  clock,
}: {
  readonly baseUrl: string;
  readonly userAgent: string;
  readonly clock: Clock;
}): ServiceWatch {
  const client = createClient({ baseUrl, token: null, userAgent, timeoutMs: TIMEOUT_MS, retryDelaysMs: [] });
  let state: ServiceState = { upstream: 'unknown', error: null, details: null, checkedAt: null };
  let lastCheck: Promise<ServiceState> | null = null;
  let lastCheckAt = -Infinity;

  const check = async (): Promise<ServiceState> => {
    const answer = await client.call('health', {});
    const checkedAt = formatTimestamp(clock.now());
    const details = answer.kind === 'answered' ? healthOf(answer.body) : null;
    const error =
      answer.kind === 'answered'
        ? `The server at ${baseUrl} is not the memory service: correct AUTOMEM_API_URL`
        : answer.message;
    state =
      details === null
        ? { upstream: 'unreachable', error, details, checkedAt }
        : { upstream: 'reachable', error: null, details, checkedAt };
    return state;
  };
  return {
    lastState: () => state,
    check: () => {
      if (lastCheck !== null && performance.now() - lastCheckAt < FRESH_MS) return lastCheck;
      lastCheckAt = performance.now();
      lastCheck = check();
      return lastCheck;
    },
  };
}

function healthOf(body: unknown): ServiceState['details'] {
  return typeof body === 'object' && body !== null && 'status' in body && typeof body.status === 'string'
    ? { ...body }
    : null;
}
