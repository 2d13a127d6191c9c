/** The headers that a gateway forwards: all except hop-by-hop headers, which apply to one connection only. */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** Opens internal operations, so the gateway removes it from every request. */
export const INTERNAL_TOKEN_HEADER = 'x-internal-token';

/** `expect` is included: the server that reads it answers it. */
const HOP_BY_HOP_HEADERS = [
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
];

export type RequestFacts = {
  readonly requestId: string;
  /** The gateway's own span. Null without tracing: the header of the client stays. */
  readonly traceparent: string | null;
};

/** With facts that an instance cannot see: the client's address, the requested host, request id and trace. */
export function requestHeaders(
  { headers, socket }: IncomingMessage,
  { requestId, traceparent }: RequestFacts,
): OutgoingHttpHeaders {
  const before = headers['x-forwarded-for'];
  const client = socket.remoteAddress ?? 'unknown';
  const { [INTERNAL_TOKEN_HEADER]: _internal, ...others } = forwardable(headers);
  return {
    ...others,
    ...(traceparent !== null && { traceparent }),
    'x-request-id': requestId,
    'x-forwarded-for': before === undefined ? client : `${String(before)}, ${client}`,
    'x-forwarded-host': headers.host ?? '',
    'x-forwarded-proto': 'http',
  };
}

/** Headers for the client. `transfer-encoding` is left out: Node frames a body without a length again. */
export function replyHeaders({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const { 'transfer-encoding': _framing, ...others } = forwardable(headers);
  return others;
}

function forwardable(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = (headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP_HEADERS.includes(name) && !named.includes(name)),
  );
}
