/** One request of a webhook. It follows no redirect, uses no proxy and reads only the beginning of the answer. */
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type OutboundAddresses, RefusedAddressError } from '../../../shared/http/outbound-address.js';
import { withTimeoutSignal } from '../../../shared/kernel/concurrency/abort-signals.js';
import { fetchFailure } from '../../../shared/kernel/fetch-failure.js';

/** `answered`: any status. `failed`: no answer. */
export type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'failed'; readonly error: string };

export type PostEvent = {
  /** Rejects only when the signal is aborted. */
  readonly post: (
    request: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string },
    signal: AbortSignal,
  ) => Promise<Answer>;
  /** Closes the idle connections. */
  readonly close: () => void;
};

/** More of an answer is not read: its connection ends. */
const ANSWER_LIMIT_BYTES = 4 * 1024;

/** Connections are kept for one webhook only, so each webhook has its own. `timeoutMs`: of an attempt in all. */
export function createPostEvent({
  addresses,
  timeoutMs,
}: {
  readonly addresses: OutboundAddresses;
  readonly timeoutMs: number;
}): PostEvent {
  const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };

  async function post({ url: text, headers, body }: Parameters<PostEvent['post']>[0], signal: AbortSignal) {
    const problem = addresses.problemOf(text);
    if (problem !== null) return failed(`The URL ${problem}`);
    const url = new URL(text);
    return withTimeoutSignal(timeoutMs, [signal], async (ended) => {
      try {
        return await exchange(url, { headers, body, signal: ended });
      } catch (error) {
        signal.throwIfAborted();
        return failed(ended.aborted ? `The receiver did not answer within ${timeoutMs} ms` : describe(error));
      }
    });
  }

  function exchange(
    { protocol, href }: URL,
    { headers, body, signal }: { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal },
  ): Promise<Answer> {
    const isTls = protocol === 'https:';
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      agent: agents[isTls ? 'https:' : 'http:'],
      lookup: addresses.lookup(protocol),
      signal,
      rejectUnauthorized: true,
    };
    return new Promise((resolve, reject) => {
      const request = (isTls ? httpsRequest : httpRequest)(href, options, (response) => {
        request.off('error', reject).on('error', () => undefined); // the status is there: a body may end early, or never
        void readBeginning(response, signal).then(() => resolve(answerOf(response)));
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  return {
    post,
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** Resolves when the body has ended or its connection is closed. */
function readBeginning(response: IncomingMessage, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > ANSWER_LIMIT_BYTES) response.destroy();
    });
    response.on('error', () => undefined).on('close', resolve);
    if (signal.aborted) response.destroy();
  });
}

function answerOf({ statusCode = 0, headers }: IncomingMessage): Answer {
  return { kind: 'answered', status: statusCode, retryAfterSeconds: secondsOf(headers['retry-after']) };
}

/** A date as well as a number of seconds. */
function secondsOf(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null;
  const seconds = /^\d{1,9}$/u.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1_000;
  return seconds > 0 ? seconds : null;
}

function failed(error: string): Answer {
  return { kind: 'failed', error };
}

function describe(error: unknown): string {
  if (error instanceof RefusedAddressError) return `The URL ${error.message}`;
  const { kind, code, message } = fetchFailure(error);
  if (kind === 'tls') return `The receiver has no certificate that fits (${code || message})`;
  return `The receiver ${kind === 'unreachable' ? 'cannot be reached' : 'did not answer'} (${code || message})`;
}
