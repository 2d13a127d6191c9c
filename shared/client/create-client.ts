/** The typed client of our own HTTP API: one call for each operation of the contract, with the retries that its clients promise. */
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.js';
import type { Problem } from '../contract/problems.js';
import type { RequestFor } from '../http/handler.js';

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
};

/** Parts of a request that carry nothing may be left out. */
export type CallOf<N extends OperationName> = Partial<Pick<RequestFor<N>, 'params' | 'query' | 'body'>> & {
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
};

export type ClientAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: Headers; readonly body: unknown }
  /** 4xx: the same request will be refused again. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string; readonly field: string | null }
  /** After all retries. `status` is null when no answer came at all. */
  | { readonly kind: 'unavailable'; readonly status: number | null; readonly message: string };

export type Client = { readonly call: <N extends OperationName>(name: N, call: CallOf<N>) => Promise<ClientAnswer> };

const TIMEOUT_MS = 25_000;
const RETRY_DELAYS_MS = [500, 1_000, 2_000];
const LONGEST_RETRY_AFTER_MS = 30_000;

type Attempt = { readonly answer: ClientAnswer; readonly retryAfterMs: number | null };

export function createClient(options: ClientOptions): Client {
  const delays = options.retryDelaysMs ?? RETRY_DELAYS_MS;
  return {
    call: async (name, call) => {
      for (let attempt = 0; ; attempt++) {
        const { answer, retryAfterMs } = await ask(OPERATIONS[name], call, options);
        const delay = delays[attempt];
        if (retryAfterMs === null || delay === undefined || call.signal?.aborted) return answer;
        await new Promise((resolve) => { setTimeout(resolve, Math.max(delay, retryAfterMs)); });
      }
    },
  };
}

type AnyCall = {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
};

async function ask(operation: Operation, call: AnyCall, options: ClientOptions): Promise<Attempt> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  try {
    const response = await fetch(urlOf(operation, call, options.baseUrl), {
      method: operation.method,
      headers: headersOf(call, options),
      signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    return attemptOf(response, parseBody(await response.text()));
  } catch (error) {
    const reason = timeout.aborted ? 'did not answer in time' : `cannot be reached (${reasonOf(error)})`;
    return { answer: { kind: 'unavailable', status: null, message: `The service at ${options.baseUrl} ${reason}` }, retryAfterMs: 0 };
  }
}

/** 409 with `Retry-After` is the one refusal that may pass (an Idempotency-Key in flight, a contended memory). */
function attemptOf({ status, headers }: Response, body: unknown): Attempt {
  if (status < 400) return { answer: { kind: 'answered', status, headers, body }, retryAfterMs: null };
  const { message = `HTTP ${status}`, field = null } = typeof body === 'object' && body !== null ? (body as Partial<Problem>) : {};
  const retryAfter = headers.get('Retry-After');
  const seconds = Number(retryAfter ?? 0);
  const retryAfterMs = Math.min(LONGEST_RETRY_AFTER_MS, Number.isFinite(seconds) ? seconds * 1000 : 0);
  if (status >= 500) return { answer: { kind: 'unavailable', status, message }, retryAfterMs };
  return { answer: { kind: 'refused', status, message, field }, retryAfterMs: status === 409 && retryAfter !== null ? retryAfterMs : null };
}

function urlOf({ path }: Operation, { params = {}, query = {} }: AnyCall, baseUrl: string): URL {
  const filled = path.replace(/:(\w+)/gu, (_, name: string) => encodeURIComponent(String(params[name] ?? '')));
  const url = new URL(baseUrl.replace(/\/+$/u, '') + filled);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) url.searchParams.append(name, String(item));
  }
  return url;
}

function headersOf({ idempotencyKey, ifMatch }: AnyCall, { token, adminToken, internalToken, userAgent }: ClientOptions): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    ...(adminToken === undefined ? {} : { 'X-Admin-Token': adminToken }),
    ...(internalToken === undefined ? {} : { 'X-Internal-Token': internalToken }),
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
  };
}

/** Undefined for what is no JSON, such as a proxy's page. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The status says enough.
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
