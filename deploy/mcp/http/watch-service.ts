/** Whether the service behind the bridge answers, asked for those who ask the bridge: never more than one question at a time. */
import { createClient } from '../../../shared/client/create-client.js';
import { formatTimestamp, type Clock } from '../../../shared/kernel/clock.js';

export type ServiceState = {
  readonly upstream: 'unknown' | 'reachable' | 'unreachable';
  readonly error: string | null;
  /** What it says of itself. */
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly checkedAt: string | null;
};

export interface ServiceWatch {
  /** What was last found out. */
  known(): ServiceState;
  /** Asks, unless somebody did just now. Never rejects. */
  ask(): Promise<ServiceState>;
}

const PATIENCE_MS = 5_000;
/** Orchestrators and balancers ask every few seconds, each of them; the service pings its stores for every answer. */
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
  const client = createClient({ baseUrl, token: null, userAgent, timeoutMs: PATIENCE_MS, retryDelaysMs: [] });
  let state: ServiceState = { upstream: 'unknown', error: null, details: null, checkedAt: null };
  let asked: Promise<ServiceState> | null = null;
  let askedAt = -Infinity;

  const ask = async (): Promise<ServiceState> => {
    const answer = await client.call('health', {});
    const checkedAt = formatTimestamp(clock.now());
    const details = answer.kind === 'answered' ? healthIn(answer.body) : null;
    const error =
      answer.kind === 'answered'
        ? `What answers at ${baseUrl} is not the service: correct AUTOMEM_API_URL`
        : answer.message;
    state =
      details === null
        ? { upstream: 'unreachable', error, details, checkedAt }
        : { upstream: 'reachable', error: null, details, checkedAt };
    return state;
  };
  return {
    known: () => state,
    ask: () => {
      if (asked !== null && performance.now() - askedAt < FRESH_MS) return asked;
      askedAt = performance.now();
      asked = ask();
      return asked;
    },
  };
}

function healthIn(body: unknown): ServiceState['details'] {
  return typeof body === 'object' && body !== null && 'status' in body && typeof body.status === 'string'
    ? { ...body }
    : null;
}
