/** The typed client of our own HTTP API: one call for each operation of the contract, with the retries that its clients promise. */
import { setTimeout as wait } from 'node:timers/promises';
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.js';
import type { RequestFor } from '../http/handler.js';
import { randomIds, type Ids } from '../kernel/clock.js';
import { attemptCall } from './attempt-call.js';

export type ClientOptions = {
  /** Such as `http://localhost:8001`. */
  readonly baseUrl: string;
  readonly token: string | null;
  readonly adminToken?: string;
  /** For internal operations, between processes of ours. */
  readonly internalToken?: string;
  readonly userAgent: string;
  /** For one attempt. Default 25,000. */
  readonly timeoutMs?: number;
  /** Waits between attempts in ms, as many as there are retries; `Retry-After` lengthens them. Default 500, 1,000, 2,000. */
  readonly retryDelaysMs?: readonly number[];
  /** Gives an Idempotency-Key to each call of a repeatable operation that brings none, so that a retry has no second effect. */
  readonly ids?: Ids;
};

/** Parts of a request that carry nothing may be left out. */
export type CallOf<N extends OperationName> = Partial<Pick<RequestFor<N>, 'params' | 'query' | 'body'>> & {
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  /** Ends the call at once, wherever it is: the answer is then `cancelled`. */
  readonly signal?: AbortSignal;
};

/**
 * What a call without success has done: `none`, or `unknown` where the request may have been carried out. Absent for reads. A repeat with
 * the same Idempotency-Key is harmless either way.
 */
type Effect = { readonly effect?: 'none' | 'unknown' };

export type ClientAnswer =
  /** `body` is an object. */
  | { readonly kind: 'answered'; readonly status: number; readonly headers: Headers; readonly body: unknown }
  /** 4xx: the same request will be refused again. */
  | ({ readonly kind: 'refused'; readonly status: number; readonly message: string; readonly field: string | null } & Effect)
  /** After all retries. `status` is null when no answer came at all. */
  | ({ readonly kind: 'unavailable'; readonly status: number | null; readonly message: string } & Effect)
  /** A success whose body is no JSON object: half of one, or a page of something in between. Not tried again. */
  | ({ readonly kind: 'unreadable'; readonly status: number; readonly message: string } & Effect)
  | ({ readonly kind: 'cancelled'; readonly status: null; readonly message: string } & Effect);

export type Client = { readonly call: <N extends OperationName>(name: N, call: CallOf<N>) => Promise<ClientAnswer> };

const TIMEOUT_MS = 25_000;
const RETRY_DELAYS_MS = [500, 1_000, 2_000];

export function createClient({ timeoutMs = TIMEOUT_MS, retryDelaysMs = RETRY_DELAYS_MS, ids = randomIds, ...options }: ClientOptions): Client {
  return {
    call: async (name, call) => {
      const operation: Operation = OPERATIONS[name];
      const keyed = operation.repeatable ? { idempotencyKey: ids.uuid(), ...call } : call;
      let isUndecided = false;
      for (let tries = 0; !call.signal?.aborted; tries++) {
        const { answer, retryAfterMs, mayBeDone } = await attemptCall(operation, keyed, { ...options, timeoutMs });
        isUndecided ||= mayBeDone;
        const delay = retryDelaysMs[tries];
        if (answer.kind === 'answered') return answer;
        if (call.signal?.aborted) break;
        if (retryAfterMs === null || delay === undefined) return { ...answer, ...effectOf(operation, isUndecided) };
        await waited(Math.max(delay, retryAfterMs), call.signal);
      }
      return { kind: 'cancelled', status: null, message: 'The call was cancelled', ...effectOf(operation, isUndecided) };
    },
  };
}

function effectOf({ method }: Operation, isUndecided: boolean): Effect {
  return method === 'GET' ? {} : { effect: isUndecided ? 'unknown' : 'none' };
}

/** Shorter when the signal is aborted, which the caller then sees for itself. */
async function waited(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await wait(milliseconds, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
    if (!signal?.aborted) throw error;
  });
}
