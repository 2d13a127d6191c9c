/** What a client of our HTTP API is: its calls, by the names of the operations, and the answers that they have. */
import type { OperationName } from '../contract/operations.js';
import type { RequestFor } from '../http/handler.js';
import type { Ids } from '../kernel/clock.js';

export type Client = { readonly call: <N extends OperationName>(name: N, call: CallOf<N>) => Promise<ClientAnswer> };

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
export type Effect = { readonly effect?: 'none' | 'unknown' };

export type ClientAnswer =
  /** `body` is an object. */
  | { readonly kind: 'answered'; readonly status: number; readonly headers: Headers; readonly body: unknown }
  /** 4xx: the same request will be refused again. */
  | ({
      readonly kind: 'refused';
      readonly status: number;
      readonly message: string;
      readonly field: string | null;
    } & Effect)
  /** After all retries. `status` is null when no answer came at all. */
  | ({ readonly kind: 'unavailable'; readonly status: number | null; readonly message: string } & Effect)
  /** A success whose body is no JSON object: half of one, or a page of something in between. Not tried again. */
  | ({ readonly kind: 'unreadable'; readonly status: number; readonly message: string } & Effect)
  | ({ readonly kind: 'cancelled'; readonly status: null; readonly message: string } & Effect);
