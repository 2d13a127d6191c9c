/** One request through the gateway and the two ways in which it is answered: with what an instance said, or with a refusal of the gateway's own. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Ids } from '../../shared/kernel/clock.js';
import { parseUuid } from '../../shared/kernel/memory-id.js';
import type { GatewayLimits } from './gateway-limits.js';
import {
  gatewayProblem,
  isWorthRepeating,
  RETRY_AFTER_SECONDS,
  type GatewayProblemStatus,
} from './gateway-problems.js';
import { replyHeaders } from './passed-headers.js';

export type Exchange = {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly requestId: string;
  /** Path and query string. */
  readonly target: string;
  /** Aborted when the client has gone, or has its answer. */
  readonly signal: AbortSignal;
};

export function exchangeOf(incoming: IncomingMessage, outgoing: ServerResponse, ids: Ids): Exchange {
  const hangUp = new AbortController();
  outgoing.once('close', () => hangUp.abort());
  const given = incoming.headers['x-request-id'];
  // A client of a proxy may put the whole address where the path stands.
  const target = (incoming.url ?? '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/iu, '');
  return { incoming, outgoing, target, signal: hangUp.signal, requestId: parseUuid(String(given ?? '')) ?? ids.uuid() };
}

type Passing = Pick<GatewayLimits, 'readTimeoutMs' | 'streamIdleMs'> & {
  /** Aborted when the gateway begins to stop: a stream, which has no end of its own, is ended then. */
  readonly stopping: AbortSignal;
};

/** An instance that breaks off in the middle leaves the client with a broken answer, as it must; `pipeline` would put eight listeners on each. */
export function pass(
  response: IncomingMessage,
  { incoming, outgoing, signal }: Exchange,
  { readTimeoutMs, streamIdleMs, stopping }: Passing,
): void {
  if (outgoing.destroyed) {
    response.destroy();
    return;
  }
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
  response.setTimeout(isStream ? streamIdleMs : readTimeoutMs, () => response.destroy());
  if (isStream) stopping.addEventListener('abort', () => response.unpipe(outgoing) && outgoing.end(), { signal });
  response.on('error', () => outgoing.destroy());
  outgoing.once('close', () => response.destroy());
  // What was answered before it had been read is not worth reading to the end.
  if (!incoming.complete) outgoing.setHeader('connection', 'close');
  outgoing.writeHead(response.statusCode ?? 502, replyHeaders(response));
  outgoing.flushHeaders();
  response.pipe(outgoing);
}

export function refuse({ incoming, outgoing, requestId }: Exchange, status: GatewayProblemStatus): void {
  if (outgoing.headersSent || outgoing.destroyed) {
    outgoing.destroy();
    return;
  }
  const body = JSON.stringify(gatewayProblem(status, requestId));
  if (!incoming.complete) outgoing.setHeader('connection', 'close');
  incoming.unpipe();
  incoming.resume();
  outgoing.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    ...(isWorthRepeating(status) ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {}),
  });
  outgoing.end(body);
}
