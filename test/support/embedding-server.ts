/** A real HTTP server that answers as an embedding provider would, and remembers what it was asked. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createWordHashEmbedder } from './embedding.js';

export type Asked = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
};
export type Answer = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly isSilent?: boolean;
};
export type EmbeddingServer = { readonly url: string; readonly asked: Asked[]; readonly close: () => Promise<void> };

/** `answer` gets each request and its number, from 0. */
export async function startEmbeddingServer(
  answer: (asked: Asked, number: number) => Answer | Promise<Answer>,
): Promise<EmbeddingServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const one = {
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(await text(request)) as Record<string, unknown>,
      };
      asked.push(one);
      const { status = 200, headers = {}, body = {}, isSilent = false } = await answer(one, asked.length - 1);
      if (isSilent) return;
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
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

/** What a provider in good health answers, in the shape of the route that was asked; OpenAI's and Voyage's out of order. */
export function healthyAnswer(dimension: number): (asked: Asked) => Promise<Answer> {
  return async ({ path, body }) => {
    const texts = (path === '/api/embeddings' ? [body['prompt']] : body['input']) as readonly string[];
    const embedder = createWordHashEmbedder(Number(body['dimensions'] ?? body['output_dimension'] ?? dimension));
    const vectors = (await embedder.embed(texts, { purpose: 'document' })).map((vector) => [...vector]);
    if (path === '/api/embed') return { body: { embeddings: vectors } };
    if (path === '/api/embeddings') return { body: { embedding: vectors[0] } };
    return { body: { data: vectors.map((embedding, index) => ({ index, embedding })).reverse() } };
  };
}
