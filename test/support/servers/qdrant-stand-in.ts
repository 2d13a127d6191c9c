/**
 * An HTTP server that answers like a healthy Qdrant with a collection of vectors of size 3, and records each request.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { INDEXES } from '../../../shared/engines/qdrant/qdrant-payload.js';

export type QdrantRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};
export type QdrantReply = { readonly status?: number; readonly body?: unknown; readonly isSilent?: boolean };
export type QdrantStandIn = {
  readonly url: string;
  readonly requests: QdrantRequest[];
  readonly close: () => Promise<void>;
};

/** `reply` decides each reply; where it returns null, the healthy reply is sent. */
export async function startQdrantStandIn(
  reply: (request: QdrantRequest) => QdrantReply | null = () => null,
): Promise<QdrantStandIn> {
  const requests: QdrantRequest[] = [];
  const server = createServer((incoming, response) => {
    void (async () => {
      const request = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: await text(incoming),
      };
      requests.push(request);
      const { status = 200, body = healthyBody(request.path), isSilent = false } = reply(request) ?? {};
      if (!isSilent) response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The shape of Qdrant's error replies. */
export function errorReply(status: number, error: string): QdrantReply {
  return { status, body: { status: { error }, time: 0 } };
}

function healthyBody(path: string): unknown {
  const [route = ''] = path.split('?');
  return route.endsWith('/')
    ? { title: 'Qdrant', version: '1.18.3' }
    : { result: healthyResult(route), status: 'ok', time: 0 };
}

function healthyResult(route: string): unknown {
  if (route.endsWith('/aliases')) return { aliases: [{ alias_name: 'memories', collection_name: 'memories-1' }] };
  if (route.endsWith('/points/query')) return { points: [] };
  if (route.endsWith('/points/query/batch')) return [];
  if (route.endsWith('/points/count')) return { count: 0 };
  if (route.endsWith('/points')) return [];
  if (route.endsWith('/points/batch')) return [{ status: 'completed' }];
  const schema = Object.fromEntries(
    Object.entries(INDEXES).map(([field, type]) => [field, { data_type: type, points: 0 }]),
  );
  return { config: { params: { vectors: { size: 3, distance: 'Cosine' } } }, payload_schema: schema };
}
