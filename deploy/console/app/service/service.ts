/** The calls of the console: the typed client with the tokens of this tab, and whether the service answers. */
import { type CallOf, type ClientAnswer } from '../../../../shared/client/client.js';
import { createClient } from '../../../../shared/client/http-client.js';
import type { MemoryId } from '../../../../shared/contract/memory.js';
import type { OperationName } from '../../../../shared/contract/operations.js';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { withTimeoutSignal } from '../../../../shared/kernel/concurrency/abort-signals.js';
import { observable } from './observable.js';
import { reportDone } from './results.js';
import { forgetRefused, type Tokens, tokens } from './session.js';
import { renew } from './sign-in.js';

export type Problem = { readonly status: number | null; readonly message: string };
export type Result<T> =
  | { readonly ok: true; readonly body: T; readonly headers: Headers }
  | { readonly ok: false; readonly problem: Problem };

/** The folder above the page: it also works behind a path prefix. */
export const SERVICE_URL = new URL('..', location.href.split(/[?#]/u)[0]).href.replace(/\/$/u, '');

const TIMEOUT_MS = 30_000;
const PROBE_MS = 1_000;

/** Whether the last call reached the service. */
export const isReachable = observable(true);
/** Rises each time the service answers again: views then read again. */
export const recoveries = observable(0);

/** Of an address or an answer: the service checks it. */
export function memoryId(id: string): MemoryId {
  return id as MemoryId;
}

/** Whether a text is the id of a memory, and not words. */
export function isMemoryId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu.test(text);
}

/**
 * One attempt: the user sees a failure at once, and decides. A call with a token that has expired is sent again with
 * the next one of the same sign-in.
 */
export async function call<N extends OperationName>(name: N, given: CallOf<N> = {}): Promise<Result<ReplyOf<N>>> {
  const sent = tokens.get();
  let result = await send(name, given, sent);
  if (isRefused(result) && (await refuse(result.problem.message, sent))) result = await send(name, given, tokens.get());
  if (result.ok) reportDone(name);
  return result;
}

function isRefused<T>(result: Result<T>): result is Extract<Result<T>, { readonly ok: false }> {
  return !result.ok && result.problem.status === 401;
}

/** After a 401 for these tokens. Returns whether there is a new one to send. */
export async function refuse(message: string, sent: Tokens): Promise<boolean> {
  const renewal = await renew(sent);
  if (renewal === 'ended') forgetRefused(message, sent);
  return renewal === 'renewed';
}

async function send<N extends OperationName>(
  name: N,
  given: CallOf<N>,
  { token, adminToken }: Tokens,
): Promise<Result<ReplyOf<N>>> {
  const client = createClient({
    baseUrl: SERVICE_URL,
    token: token === '' ? null : token,
    ...(adminToken === '' ? {} : { adminToken }),
    userAgent: 'palimpsest-console',
    timeoutMs: TIMEOUT_MS,
    retryDelaysMs: [],
  });
  return resultOf<N>(await client.call(name, given));
}

function resultOf<N extends OperationName>(answer: ClientAnswer): Result<ReplyOf<N>> {
  if (answer.kind === 'unavailable' && isAway(answer)) reportLost();
  else if (answer.kind !== 'cancelled') reportFound();
  // The service sends the bodies of its contract, and the console comes from the same service.
  if (answer.kind === 'answered') return { ok: true, body: answer.body as ReplyOf<N>, headers: answer.headers };
  return { ok: false, problem: { status: answer.status, message: answer.message } };
}

type Failure = Pick<Extract<ClientAnswer, { readonly kind: 'unavailable' }>, 'status' | 'hasEnvelope'>;

/** Without an answer, or with one of a gateway or proxy: the service sends no 502 or 504, and 503 in its envelope. */
export function isAway({ status, hasEnvelope }: Failure): boolean {
  return status === null || status === 502 || status === 504 || (status === 503 && !hasEnvelope);
}

export function reportLost(): void {
  if (!isReachable.get()) return;
  isReachable.set(false);
  setTimeout(() => void probe(), PROBE_MS);
}

export function reportFound(): void {
  if (isReachable.get()) return;
  isReachable.set(true);
  recoveries.set(recoveries.get() + 1);
}

async function probe(): Promise<void> {
  if (isReachable.get()) return;
  try {
    const answer = await withTimeoutSignal(TIMEOUT_MS, [], (signal) => fetch(`${SERVICE_URL}/readyz`, { signal }));
    if (answer.ok) return reportFound();
  } catch {
    // still away
  }
  setTimeout(() => void probe(), PROBE_MS);
}
