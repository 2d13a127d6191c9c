/** One request through the gateway, and its answer: of an instance, or a problem of the gateway itself. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Ids } from '../../shared/kernel/clock.js';
import { REQUEST_ENDED } from '../../shared/kernel/concurrency/abort-signals.js';
import { parseUuid } from '../../shared/kernel/memory-id.js';
import { replyHeaders } from './forwarded-headers.js';
import {
  type GatewayLimits,
  gatewayProblem,
  type GatewayProblemStatus,
  isRetryableStatus,
  RETRY_AFTER_SECONDS,
} from './gateway-limits.js';
import { apiOf, LIVENESS_BODY, type Target } from './routes.js';

export type Exchange = {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly requestId: string;
  /** Path and query string. */
  readonly target: string;
  readonly api: Target;
  /** Aborted when the client has closed its connection, or has its answer. */
  readonly signal: AbortSignal;
};

export function exchangeOf(incoming: IncomingMessage, outgoing: ServerResponse, ids: Ids): Exchange {
  const closed = new AbortController();
  outgoing.once('close', () => closed.abort(REQUEST_ENDED));
  const given = incoming.headers['x-request-id'];
  // A client of a proxy may send the whole address in place of the path.
  const target = (incoming.url ?? '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/iu, '');
  return {
    incoming,
    outgoing,
    target,
    api: apiOf(incoming.method ?? '', target.split('?')[0] ?? ''),
    signal: closed.signal,
    requestId: parseUuid(String(given ?? '')) ?? ids.uuid(),
  };
}

type ResponseOptions = Pick<GatewayLimits, 'readTimeoutMs' | 'streamIdleMs'> & {
  /** Aborted when the gateway begins to stop: streams, which have no end of their own, are ended then. */
  readonly stopping: AbortSignal;
};

/** A response that fails in the middle is broken for the client too. `pipeline` would add eight listeners. */
export function sendResponse(
  response: IncomingMessage,
  { incoming, outgoing, signal }: Exchange,
  { readTimeoutMs, streamIdleMs, stopping }: ResponseOptions,
): void {
  if (outgoing.destroyed) {
    response.destroy();
    return;
  }
  const type = response.headers['content-type'] ?? '';
  const isStream = type.startsWith('text/event-stream');
  // A backup is silent while its client reads slowly.
  const isDownload = type === 'application/gzip';
  response.setTimeout(isStream || isDownload ? streamIdleMs : readTimeoutMs, () => response.destroy());
  if (isStream) stopping.addEventListener('abort', () => response.unpipe(outgoing) && outgoing.end(), { signal });
  response.on('error', () => outgoing.destroy());
  outgoing.once('close', () => response.destroy());
  // The rest of a request is not read when it was answered before its end.
  if (!incoming.complete) outgoing.setHeader('connection', 'close');
  outgoing.writeHead(response.statusCode ?? 502, replyHeaders(response));
  outgoing.flushHeaders();
  response.pipe(outgoing);
}

export function sendProblem(exchange: Exchange, status: GatewayProblemStatus): void {
  const retry = isRetryableStatus(status) ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {};
  sendOwn(exchange, status, JSON.stringify(gatewayProblem(status, exchange.requestId)), retry);
}

export function sendLiveness(exchange: Exchange): void {
  sendOwn(exchange, 200, LIVENESS_BODY);
}

/** An answer of the gateway itself. */
function sendOwn(
  { incoming, outgoing, requestId }: Exchange,
  status: number,
  body: string,
  headers: OutgoingHttpHeaders = {},
): void {
  if (outgoing.headersSent || outgoing.destroyed) {
    outgoing.destroy();
    return;
  }
  if (!incoming.complete) outgoing.setHeader('connection', 'close');
  incoming.unpipe();
  incoming.resume();
  outgoing.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    ...headers,
  });
  outgoing.end(body);
}
