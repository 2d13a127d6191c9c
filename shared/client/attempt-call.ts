/** One attempt of a call: sends it once and returns the answer, and whether a retry may help. */
import { withTimeoutSignal } from '../kernel/concurrency/abort-signals.js';
import { failureClause, fetchFailure } from '../kernel/fetch-failure.js';
import { isRecord } from '../kernel/is-record.js';
import { trimTrailing } from '../kernel/validation/trim-characters.js';
import type { ClientAnswer, ClientOptions } from './client.js';
import type { Route } from './routes.js';

export type Attempt = {
  readonly answer: ClientAnswer;
  /** Null when a retry cannot help. */
  readonly retryAfterMs: number | null;
  /** True when the attempt failed but the service may have executed the call. */
  readonly mayBeDone: boolean;
};

const LONGEST_RETRY_AFTER_MS = 30_000;

export function attemptCall(
  route: Route,
  call: AnyCall,
  options: ClientOptions & { readonly timeoutMs: number },
): Promise<Attempt> {
  return withTimeoutSignal(options.timeoutMs, [call.signal], (signal) =>
    attemptUntil(signal, route, { call, options }),
  );
}

async function attemptUntil(
  signal: AbortSignal,
  route: Route,
  { call, options }: { readonly call: AnyCall; readonly options: ClientOptions },
): Promise<Attempt> {
  try {
    const { url, init } = buildRequest(route, call, options);
    const response = await fetchWithinOrigin(url, { ...init, signal });
    const elsewhere = redirectOf(response, url);
    if (elsewhere !== null) {
      await response.body?.cancel();
      return redirected(response.status, ` to ${elsewhere.origin}`, options.baseUrl);
    }
    // Browsers hide where to.
    if (response.type === 'opaqueredirect') return redirected(response.status, '', options.baseUrl);
    return attemptOf(response, objectIn(await response.text()));
  } catch (error) {
    const isTimeout = signal.aborted && !call.signal?.aborted;
    const reason = isTimeout ? 'did not answer in time' : failureClause(error);
    const answer = {
      kind: 'unavailable',
      status: null,
      message: `The service at ${options.baseUrl} ${reason}`,
      hasEnvelope: false,
    } as const;
    return { answer, retryAfterMs: 0, mayBeDone: !wasNeverSent(error) };
  }
}

function redirected(status: number, where: string, baseUrl: string): Attempt {
  const message = `The service at ${baseUrl} redirects${where}: use the address that it redirects to`;
  return { answer: { kind: 'unreadable', status, message }, retryAfterMs: null, mayBeDone: false };
}

/** 409 with `Retry-After` is the only 4xx answer worth a retry (an Idempotency-Key in flight, a contended memory). */
function attemptOf({ status, headers }: Response, body: Readonly<Record<string, unknown>> | null): Attempt {
  if (status < 400 && body === null) {
    return {
      answer: { kind: 'unreadable', status, message: `Invalid JSON response (${status})` },
      retryAfterMs: null,
      mayBeDone: true,
    };
  }
  if (status < 400)
    return { answer: { kind: 'answered', status, headers, body }, retryAfterMs: null, mayBeDone: false };
  const message = textAt(body, 'message') ?? textAt(body, 'detail') ?? `HTTP ${status}`;
  const retryAfter = headers.get('Retry-After');
  const seconds = Number(retryAfter ?? 0);
  const retryAfterMs = Math.min(LONGEST_RETRY_AFTER_MS, Number.isFinite(seconds) ? seconds * 1000 : 0);
  if (status >= 500) {
    const answer = { kind: 'unavailable', status, message, hasEnvelope: isEnvelope(body) } as const;
    return { answer, retryAfterMs, mayBeDone: true };
  }
  return {
    answer: { kind: 'refused', status, message, field: textAt(body, 'field') },
    retryAfterMs: status === 409 && retryAfter !== null ? retryAfterMs : null,
    mayBeDone: false,
  };
}

/** Whether a body is an error of the service: `{status: 'error', message, ...}`. */
export function isEnvelope(body: unknown): boolean {
  return isRecord(body) && body['status'] === 'error' && textAt(body, 'message') !== null;
}

/** Every body of the contract is an object. Null for any other body, for example the page of a proxy. */
function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : null;
  } catch {
    return null; // the caller reports the status
  }
}

function textAt(body: Readonly<Record<string, unknown>> | null, name: string): string | null {
  const value = body?.[name];
  return typeof value === 'string' ? value : null;
}

/** True when no connection was made, so the call cannot have reached the service. */
function wasNeverSent(error: unknown): boolean {
  const { kind, code } = fetchFailure(error);
  return kind === 'unreachable' || code === 'UND_ERR_CONNECT_TIMEOUT';
}

const REDIRECT_LIMIT = 5;
/** The statuses that keep method and body. The other redirects keep them for a GET alone. */
const KEEPING = [307, 308];
const REDIRECTS = [301, 302, 303, ...KEEPING];

/**
 * Sends a request of the client and follows redirects within the origin of the service. fetch itself would repeat our
 * own token headers at the other origin: after a redirect it removes only `Authorization`. Returns a redirect to
 * another origin, or one that would change the method, as the answer. A browser must not keep answers: the ETag of a
 * memory is its revision, so a kept answer would lack newer associations.
 */
async function fetchWithinOrigin(url: URL, init: RequestInit): Promise<Response> {
  let target = url;
  for (let followed = 0; ; followed += 1) {
    // The types of Node lack the cache, which only browsers have.
    const response = await fetch(target, { ...init, redirect: 'manual', cache: 'no-store' } as RequestInit);
    const next = redirectOf(response, target);
    const isKept = KEEPING.includes(response.status) || init.method === 'GET';
    if (next === null || next.origin !== url.origin || !isKept || followed === REDIRECT_LIMIT) return response;
    await response.body?.cancel();
    target = next;
  }
}

/** The address that a redirect names; null for any other answer. */
function redirectOf({ status, headers }: Response, from: URL): URL | null {
  const location = headers.get('location');
  if (!REDIRECTS.includes(status) || location === null || !URL.canParse(location, from.href)) return null;
  return new URL(location, from);
}

type AnyCall = {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
};

/** Builds the HTTP request of a call. */
function buildRequest(
  route: Route,
  call: AnyCall,
  options: ClientOptions,
): { readonly url: URL; readonly init: RequestInit } {
  return {
    url: urlOf(route, call, options.baseUrl),
    init: {
      method: route.method,
      headers: headersOf(call, options),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    },
  };
}

function urlOf({ path }: Route, { params = {}, query = {} }: AnyCall, baseUrl: string): URL {
  const filled = path.replace(/:(\w+)/gu, (_, name: string) => encodeURIComponent(String(params[name] ?? '')));
  const url = new URL(trimTrailing(baseUrl, '/') + filled);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value])
      url.searchParams.append(name, String(item));
  }
  return url;
}

function headersOf(
  { idempotencyKey, ifMatch }: AnyCall,
  { token, adminToken, internalToken, userAgent, traceparent = () => null }: ClientOptions,
): Record<string, string> {
  const cause = traceparent();
  return {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    ...(adminToken === undefined ? {} : { 'X-Admin-Token': adminToken }),
    ...(internalToken === undefined ? {} : { 'X-Internal-Token': internalToken }),
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
    ...(cause === null ? {} : { traceparent: cause }),
  };
}
