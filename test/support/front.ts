/** Stands before the service like a proxy, and breaks what the test says: before a request has come through, or on the way back. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openStubInstance, answerJson } from './stub-instance.js';

/** `unheard`: a 503 and the service hears nothing. `unanswered`: the service carries it out and a 503 comes back. */
export type Breakage = 'unheard' | 'unanswered';
/** `GET /memory/:id` and the like: ids are left out, so that a test can name what it breaks. */
export type Passed = { readonly route: string; readonly idempotencyKey: string | undefined };

export type Front = {
  readonly url: string;
  readonly passed: readonly Passed[];
  /** Null lets a request through. May do something first. */
  readonly breaks: (judge: (passed: Passed) => Breakage | null | Promise<null>) => void;
  readonly close: () => Promise<void>;
};

const HEADERS_ON = ['content-type', 'idempotency-key', 'if-match'];
const HEADERS_BACK = ['content-type', 'etag', 'memory-position', 'retry-after'];

export async function openFront(serviceUrl: string): Promise<Front> {
  const stub = await openStubInstance('front');
  const passed: Passed[] = [];
  let judge: Parameters<Front['breaks']>[0] = () => null;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '/';
    const key = request.headers['idempotency-key'];
    const route = `${request.method ?? ''} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/u, ':id')}`;
    const seen = { route, idempotencyKey: typeof key === 'string' ? key : undefined };
    passed.push(seen);
    const breakage = await judge(seen);
    if (breakage === 'unheard') return answerJson(response, 503, { message: 'Broken before' });
    const answer = await fetch(`${serviceUrl}${path}`, {
      method: request.method ?? 'GET',
      headers: Object.fromEntries(
        HEADERS_ON.flatMap((name) =>
          request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]],
        ),
      ),
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    if (breakage === 'unanswered') return answerJson(response, 503, { message: 'Broken after' });
    const back = HEADERS_BACK.flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    response.writeHead(answer.status, Object.fromEntries(back)).end(text);
  }

  stub.does(
    (request, response) =>
      void pass(request, response).catch((error: unknown) =>
        response.destroy(error instanceof Error ? error : new Error(String(error))),
      ),
  );
  return {
    url: stub.url,
    passed,
    breaks: (next) => {
      judge = next;
    },
    close: () => stub.close(),
  };
}
