/**
 * The typed client of our own HTTP API, for Node and browsers: one call for each operation of the contract, with
 * retries.
 */
import type { Operation } from '../contract/operation.js';
import { OPERATIONS } from '../contract/operations.js';
import { randomIds } from '../kernel/clock.js';
import { attemptCall } from './attempt-call.js';
import type { Client, ClientOptions, Effect } from './client.js';

// The package exports this file as `palimpsest/client`.
export type { CallOf, Client, ClientAnswer, ClientOptions } from './client.js';

const TIMEOUT_MS = 25_000;
const RETRY_DELAYS_MS = [500, 1_000, 2_000];

export function createClient({
  timeoutMs = TIMEOUT_MS,
  retryDelaysMs = RETRY_DELAYS_MS,
  ids = randomIds,
  ...options
}: ClientOptions): Client {
  return {
    call: async (name, call) => {
      const operation: Operation = OPERATIONS[name];
      const keyed = operation.repeatable ? { idempotencyKey: ids.uuid(), ...call } : call;
      let mayHaveEffect = false;
      for (let tries = 0; !call.signal?.aborted; tries++) {
        const { answer, retryAfterMs, mayBeDone } = await attemptCall(operation, keyed, { ...options, timeoutMs });
        mayHaveEffect ||= mayBeDone;
        const delay = retryDelaysMs[tries];
        if (answer.kind === 'answered') return answer;
        if (call.signal?.aborted) break;
        if (retryAfterMs === null || delay === undefined) return { ...answer, ...effectOf(operation, mayHaveEffect) };
        await waitUnlessAborted(Math.max(delay, retryAfterMs), call.signal);
      }
      return {
        kind: 'cancelled',
        status: null,
        message: 'The call was cancelled',
        ...effectOf(operation, mayHaveEffect),
      };
    },
  };
}

function effectOf({ method }: Operation, isUndecided: boolean): Effect {
  return method === 'GET' ? {} : { effect: isUndecided ? 'unknown' : 'none' };
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
