/**
 * Sends one POST to an embedding provider, with limits on time, size and attempts, and translates its failures into our
 * errors. Messages name the provider and the variables to check, but never contain the address, the key, a text or the
 * provider's own message.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { withTimeoutSignal } from '../../../kernel/concurrency/abort-signals.js';
import { DeadlineError, DependencyError, PoisonError } from '../../../kernel/errors.js';
import { fetchFailure } from '../../../kernel/fetch-failure.js';

/** Waits before the second and the third attempt. */
export const RETRY_DELAYS_MS: readonly number[] = [1_000, 2_000];
export const REQUEST_TIMEOUT_MS = 30_000;
/**
 * Longest wait that a provider can request here. For a longer one the call fails, and the error carries the requested
 * wait.
 */
const PAUSE_LIMIT_MS = 5_000;
/** For comparison: 128 vectors of 3,072 numbers take 9 MB. */
const ANSWER_LIMIT_BYTES = 32 * 1024 * 1024;

export type Endpoint = {
  readonly provider: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The variables with the address, the key and the model; for messages. */
  readonly variables: string;
  readonly timeoutMs?: number;
  readonly retryDelaysMs?: readonly number[];
};

/** The provider refused the request: a wrong key, an unknown model or path. A retry alone does not help. */
export class ProviderRefusedError extends DependencyError {
  constructor(
    readonly endpoint: Endpoint,
    readonly status: number,
  ) {
    super('embedding', `${endpoint.provider} refused the request with status ${status}: check ${endpoint.variables}`, {
      retryAfterSeconds: 30,
    });
  }
}

export async function postJson(endpoint: Endpoint, body: object, signal?: AbortSignal): Promise<unknown> {
  const delays = endpoint.retryDelaysMs ?? RETRY_DELAYS_MS;
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await withTimeoutSignal(timeoutMsOf(endpoint), [signal], (ended) => tryOnce(endpoint, body, ended));
    if (outcome.kind === 'answered') return outcome.value;
    if (signal?.aborted) throw abandoned(endpoint);
    const pauseMs = Math.max(delays[attempt] ?? 0, outcome.pauseMs);
    if (attempt >= delays.length || outcome.pauseMs > PAUSE_LIMIT_MS) {
      throw new DependencyError('embedding', outcome.problem, {
        cause: outcome.cause,
        retryAfterSeconds: Math.max(1, Math.ceil(outcome.pauseMs / 1_000)),
      });
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal?.aborted) throw abandoned(endpoint);
  }
}

function timeoutMsOf({ timeoutMs = REQUEST_TIMEOUT_MS }: Endpoint): number {
  return timeoutMs;
}

type Attempt =
  | { readonly kind: 'answered'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly problem: string; readonly pauseMs: number; readonly cause?: unknown };

async function tryOnce(endpoint: Endpoint, body: object, signal: AbortSignal): Promise<Attempt> {
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...endpoint.headers },
      body: JSON.stringify(body),
      redirect: 'error', // a key goes to the configured address and nowhere else
      signal,
    });
    if (response.ok) return { kind: 'answered', value: JSON.parse(await readBounded(response)) };
    await response.body?.cancel();
    return attemptOf(endpoint, response);
  } catch (cause) {
    if (cause instanceof PoisonError || cause instanceof DependencyError) throw cause;
    const problem = signal.aborted ? noAnswer(endpoint) : problemOf(cause, endpoint);
    return { kind: 'failed', problem, pauseMs: 0, cause };
  }
}

function noAnswer(endpoint: Endpoint): string {
  return `${endpoint.provider} did not answer within ${timeoutMsOf(endpoint)} ms: try again, or check that it is running`;
}

function problemOf(cause: unknown, endpoint: Endpoint): string {
  const { provider, variables } = endpoint;
  if (cause instanceof SyntaxError || cause instanceof RangeError)
    return `The answer of ${provider} is not JSON, or too long: check ${variables}`;
  const { kind, code } = fetchFailure(cause);
  switch (kind) {
    case 'unreachable':
      return `${provider} cannot be reached (${code}): check that it is running, and ${variables}`;
    case 'timeout':
      return noAnswer(endpoint);
    case 'lost':
      return `The connection to ${provider} was lost (${code}): try again`;
    case 'tls':
      return `No TLS connection to ${provider} was made (${code}): check its certificate, and ${variables}`;
    case 'other':
      return `The request to ${provider} failed (${code || 'a redirect, or an address that fetch refuses'}): check ${variables}`;
    default:
      return kind satisfies never;
  }
}

function attemptOf(endpoint: Endpoint, response: Response): Attempt {
  const { status } = response;
  if (status === 408 || status === 429 || status >= 500) {
    const problem = `${endpoint.provider} answered with status ${status}: try again later`;
    return { kind: 'failed', problem, pauseMs: retryAfterMs(response.headers.get('retry-after')) };
  }
  if (status === 400 || status === 413 || status === 422) {
    throw new PoisonError(
      `${endpoint.provider} refused a text with status ${status}: shorten or change it, or check ${endpoint.variables}`,
    );
  }
  throw new ProviderRefusedError(endpoint, status);
}

/** Reads seconds or an HTTP date; 0 for anything else. */
function retryAfterMs(header: string | null): number {
  if (header === null) return 0;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_LIMIT_BYTES) throw new RangeError(`an answer above ${ANSWER_LIMIT_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function abandoned(endpoint: Endpoint): DeadlineError {
  return new DeadlineError(`The caller stopped waiting for ${endpoint.provider}: try again`);
}
