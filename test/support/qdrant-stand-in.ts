/** A real HTTP server that answers as a Qdrant in good health with a collection of size 3, unless told otherwise, and remembers what it was asked. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { INDEXES } from '../../shared/vectors/qdrant/qdrant-payload.js';

export type QdrantRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};
export type QdrantAnswer = { readonly status?: number; readonly body?: unknown; readonly isSilent?: boolean };
export type QdrantStandIn = {
  readonly url: string;
  readonly asked: QdrantRequest[];
  readonly close: () => Promise<void>;
};

/** `answer` goes first; where it has nothing to say, the healthy answer is given. */
export async function startQdrantStandIn(
  answer: (asked: QdrantRequest) => QdrantAnswer | null = () => null,
): Promise<QdrantStandIn> {
  const asked: QdrantRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: await text(request),
      };
      asked.push(one);
      const { status = 200, body = healthyBody(one.path), isSilent = false } = answer(one) ?? {};
      if (!isSilent) response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What Qdrant says when something is wrong. */
export function refusal(status: number, error: string): QdrantAnswer {
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
