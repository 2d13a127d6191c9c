/** The port of a client of our HTTP API: its calls, named after the operations, and their answers. */
import type { OperationName } from '../contract/operations.js';
import type { RequestFor } from '../http/handler.js';
import type { Ids } from '../kernel/clock.js';

export type Client = { readonly call: <N extends OperationName>(name: N, call: CallOf<N>) => Promise<ClientAnswer> };

export type ClientOptions = {
  /** For example `http://localhost:8001`. */
  readonly baseUrl: string;
  readonly token: string | null;
  readonly adminToken?: string;
  /** For internal operations, between our own processes. */
  readonly internalToken?: string;
  readonly userAgent: string;
  /** The limit for one attempt. Default 25,000. */
  readonly timeoutMs?: number;
  /**
   * The wait before each retry in ms; the length of the list is the number of retries. `Retry-After` lengthens a wait.
   * Default 500, 1,000, 2,000.
   */
  readonly retryDelaysMs?: readonly number[];
  /**
   * Makes an Idempotency-Key for each call of a repeatable operation without one, so that a retry has no second effect.
   */
  readonly ids?: Ids;
  /** The span that calls, as a `traceparent` header; each attempt sends it. */
  readonly traceparent?: () => string | null;
};

/** Empty parts of a request may be left out. */
export type CallOf<N extends OperationName> = Partial<
  Pick<RequestFor<N, number | string>, 'params' | 'query' | 'body'>
> & {
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  /** Ends the call immediately, in every phase; the answer is then `cancelled`. */
  readonly signal?: AbortSignal;
};

/**
 * The effect of a failed call: `none`, or `unknown` when the service may have executed it. Absent for reads. A repeat
 * with the same Idempotency-Key is harmless in both cases.
 */
export type Effect = { readonly effect?: 'none' | 'unknown' };

export type ClientAnswer =
  /** `body` is an object. */
  | { readonly kind: 'answered'; readonly status: number; readonly headers: Headers; readonly body: unknown }
  /** 4xx: the service will reject the same request again. */
  | ({
      readonly kind: 'refused';
      readonly status: number;
      readonly message: string;
      readonly field: string | null;
    } & Effect)
  /** After all retries. `status` is null when there was no response. */
  | ({
      readonly kind: 'unavailable';
      readonly status: number | null;
      readonly message: string;
      /** Whether the service wrote the error; false for one of a proxy, and without a response. */
      readonly hasEnvelope: boolean;
    } & Effect)
  /** A success whose body is not a JSON object: a cut body, or the page of a proxy. Not retried. */
  | ({ readonly kind: 'unreadable'; readonly status: number; readonly message: string } & Effect)
  | ({ readonly kind: 'cancelled'; readonly status: null; readonly message: string } & Effect);
