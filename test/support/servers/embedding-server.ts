/** An HTTP server that answers like an embedding provider and records each request. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createWordHashEmbedder } from '../adapters/word-hash-embedder.js';

export type EmbeddingRequest = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
};
export type EmbeddingReply = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Instead of a body in JSON. */
  readonly text?: string;
  readonly isSilent?: boolean;
  /** The connection is closed without an answer. */
  readonly isCut?: boolean;
};
export type EmbeddingServer = {
  readonly url: string;
  readonly requests: EmbeddingRequest[];
  readonly close: () => Promise<void>;
};

/** `reply` receives each request and its number, counted from 0. */
export async function startEmbeddingServer(
  reply: (request: EmbeddingRequest, number: number) => EmbeddingReply | Promise<EmbeddingReply>,
): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = [];
  const server = createServer((incoming, response) => {
    void (async () => {
      const request = {
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: JSON.parse(await text(incoming)) as Record<string, unknown>,
      };
      requests.push(request);
      const { status = 200, headers = {}, body = {}, ...rest } = await reply(request, requests.length - 1);
      if (rest.isSilent) return;
      if (rest.isCut) return response.destroy();
      const answer = rest.text ?? JSON.stringify(body);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(answer);
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

/**
 * The reply of a healthy provider, in the shape of the requested route. OpenAI's and Voyage's lists come out of order.
 */
export function healthyReply(dimension: number): (request: EmbeddingRequest) => Promise<EmbeddingReply> {
  return async ({ path, body }) => {
    const texts = (path === '/api/embeddings' ? [body['prompt']] : body['input']) as readonly string[];
    const embedder = createWordHashEmbedder(Number(body['dimensions'] ?? body['output_dimension'] ?? dimension));
    const vectors = (await embedder.embed(texts, { purpose: 'document' })).map((vector) => [...vector]);
    if (path === '/api/embed') return { body: { embeddings: vectors } };
    if (path === '/api/embeddings') return { body: { embedding: vectors[0] } };
    return { body: { data: vectors.map((embedding, index) => ({ index, embedding })).reverse() } };
  };
}
