/** Which headers go through a gateway: all that are meant for the other end and not for this connection. */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** What opens internal operations comes from no caller. */
export const INTERNAL_TOKEN_HEADER = 'x-internal-token';

/** `expect` has been answered by the server that read it. */
const OF_THE_CONNECTION = [
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

/** To an instance, with what it cannot see itself: who asked, by which name, and the id of the request. */
export function requestHeaders({ headers, socket }: IncomingMessage, requestId: string): OutgoingHttpHeaders {
  const before = headers['x-forwarded-for'];
  const client = socket.remoteAddress ?? 'unknown';
  const { [INTERNAL_TOKEN_HEADER]: _internal, ...others } = passed(headers);
  return {
    ...others,
    'x-request-id': requestId,
    'x-forwarded-for': before === undefined ? client : `${String(before)}, ${client}`,
    'x-forwarded-host': headers.host ?? '',
    'x-forwarded-proto': 'http',
  };
}

/** To the client; a body without a length is framed anew. */
export function replyHeaders({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const { 'transfer-encoding': _framing, ...others } = passed(headers);
  return others;
}

function passed(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = (headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.includes(name) && !named.includes(name)),
  );
}
