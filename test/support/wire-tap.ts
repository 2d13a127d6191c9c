/** Stands between the bridge and the service, passes everything on and keeps what it saw: what a tool made of its arguments. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openStubInstance } from './stub-instance.js';

export type Tapped = {
  /** `POST /memory/:id`: ids are left out. */
  readonly route: string;
  /** Parameters that are repeated as a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
  readonly headers: IncomingMessage['headers'];
};

export type WireTap = {
  readonly url: string;
  /** What has passed since the last time. */
  readonly taken: () => readonly Tapped[];
  readonly close: () => Promise<void>;
};

/** Of one hop alone. */
const HOP_HEADERS = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-encoding',
]);

export async function openWireTap(serviceUrl: string): Promise<WireTap> {
  const stub = await openStubInstance('tap');
  let seen: Tapped[] = [];

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [text, path] = [Buffer.concat(chunks).toString('utf8'), request.url ?? '/'];
    seen.push(readTapped(request, text));
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

  stub.does(
    (request, response) =>
      void pass(request, response).catch((error: unknown) =>
        response.destroy(error instanceof Error ? error : new Error(String(error))),
      ),
  );
  return {
    url: stub.url,
    taken: () => {
      const taken = seen;
      seen = [];
      return taken;
    },
    close: () => stub.close(),
  };
}

function readTapped({ method = '', url = '/', headers }: IncomingMessage, text: string): Tapped {
  const { pathname, searchParams } = new URL(url, 'http://tap');
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
