/**
 * An HTTP proxy between the bridge and the service. It forwards each request and records it, to show what a tool sends.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toError } from '../../../shared/kernel/errors.js';
import { openStubInstance } from '../servers/stub-instance.js';

export type RecordedRequest = {
  /** Without ids: `POST /memory/:id`. */
  readonly route: string;
  /** A repeated parameter is a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
  readonly headers: IncomingMessage['headers'];
};

export type RecordingProxy = {
  readonly url: string;
  /** Returns the requests since the last call. */
  readonly takeRequests: () => readonly RecordedRequest[];
  readonly close: () => Promise<void>;
};

/** Headers that belong to one hop only. */
const HOP_HEADERS = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-encoding',
]);

export async function openRecordingProxy(serviceUrl: string): Promise<RecordingProxy> {
  const stub = await openStubInstance('proxy');
  let seen: RecordedRequest[] = [];

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [text, path] = [Buffer.concat(chunks).toString('utf8'), request.url ?? '/'];
    seen.push(recordRequest(request, text));
    const headers = Object.entries(request.headers)
      .filter(([name]) => !HOP_HEADERS.has(name))
      .map(([name, value]): [string, string] => [name, String(value)]);
    const answer = await fetch(`${serviceUrl}${path}`, {
      method: request.method ?? 'GET',
      headers,
      ...(text === '' ? {} : { body: text }),
    });
    response
      .writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => !HOP_HEADERS.has(name))))
      .end(await answer.text());
  }

  stub.respondWith(
    (request, response) => void pass(request, response).catch((error: unknown) => response.destroy(toError(error))),
  );
  return {
    url: stub.url,
    takeRequests: () => {
      const taken = seen;
      seen = [];
      return taken;
    },
    close: () => stub.close(),
  };
}

function recordRequest({ method = '', url = '/', headers }: IncomingMessage, text: string): RecordedRequest {
  const { pathname, searchParams } = new URL(url, 'http://proxy');
  const query = Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
  return {
    route: `${method} ${pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/u, ':id')}`,
    query,
    body: text === '' ? null : JSON.parse(text),
    headers,
  };
}
