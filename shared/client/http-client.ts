/**
 * The typed client of our own HTTP API: one call for each operation of the contract, with retries. It imports no module
 * of Node, so it also runs in browsers, Deno and Bun.
 */
import { attemptCall } from './attempt-call.js';
import type { Client, ClientOptions, Effect } from './client.js';
import { type Route, ROUTES } from './routes.js';

// The package exports this file as `palimpsest/client`.
export type { CallOf, Client, ClientAnswer, ClientOptions } from './client.js';

const TIMEOUT_MS = 25_000;
const RETRY_DELAYS_MS = [500, 1_000, 2_000];

export function createClient({
  timeoutMs = TIMEOUT_MS,
  retryDelaysMs = RETRY_DELAYS_MS,
  ids = { uuid },
  ...options
}: ClientOptions): Client {
  return {
    call: async (name, call) => {
      const route = ROUTES[name];
      if (route === undefined) throw new TypeError(`There is no operation ${name}: use a name of the OpenAPI document`);
      const keyed = route.repeatable ? { idempotencyKey: ids.uuid(), ...call } : call;
      let mayHaveEffect = false;
      for (let tries = 0; !call.signal?.aborted; tries++) {
        const { answer, retryAfterMs, mayBeDone } = await attemptCall(route, keyed, { ...options, timeoutMs });
        mayHaveEffect ||= mayBeDone;
        const delay = retryDelaysMs[tries];
        if (answer.kind === 'answered') return answer;
        if (call.signal?.aborted) break;
        if (retryAfterMs === null || delay === undefined) return { ...answer, ...effectOf(route, mayHaveEffect) };
        await waitUnlessAborted(Math.max(delay, retryAfterMs), call.signal);
      }
      return {
        kind: 'cancelled',
        status: null,
        message: 'The call was cancelled',
        ...effectOf(route, mayHaveEffect),
      };
    },
  };
}

function effectOf({ method }: Route, isUndecided: boolean): Effect {
  return method === 'GET' ? {} : { effect: isUndecided ? 'unknown' : 'none' };
}

/** In browsers `crypto.randomUUID` exists only on secure pages, and a service may be served by plain HTTP. */
function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}

/** Resolves early when the signal is aborted; the caller then checks the signal. Browsers have no `timers/promises`. */
function waitUnlessAborted(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
  });
}
