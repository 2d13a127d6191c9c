/** An HTTP proxy in front of the service that fails chosen requests, before or after the service handles them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toError } from '../../../shared/kernel/errors.js';
import { answerJson, openStubInstance } from '../servers/stub-instance.js';

/**
 * `unheard`: 503, and the request never reaches the service. `unanswered`: the service handles the request, and the
 * caller gets 503.
 */
export type ProxyFailure = 'unheard' | 'unanswered';
/** `route` has the form `GET /memory/:id`: without ids, so that a test can name the route. */
export type ProxiedRequest = { readonly route: string; readonly idempotencyKey: string | undefined };

export type FailingProxy = {
  readonly url: string;
  readonly requests: readonly ProxiedRequest[];
  /** Sets the decision for each request: null forwards it. The function may also run an action first. */
  readonly failWhen: (decide: (request: ProxiedRequest) => ProxyFailure | null | Promise<null>) => void;
  readonly close: () => Promise<void>;
};

const FORWARDED_HEADERS = ['content-type', 'idempotency-key', 'if-match'];
const RETURNED_HEADERS = ['content-type', 'etag', 'memory-position', 'retry-after'];

export async function openFailingProxy(serviceUrl: string): Promise<FailingProxy> {
  const stub = await openStubInstance('proxy');
  const requests: ProxiedRequest[] = [];
  let decide: Parameters<FailingProxy['failWhen']>[0] = () => null;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '/';
    const key = request.headers['idempotency-key'];
    const route = `${request.method ?? ''} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/u, ':id')}`;
    const seen = { route, idempotencyKey: typeof key === 'string' ? key : undefined };
    requests.push(seen);
    const failure = await decide(seen);
    if (failure === 'unheard') return answerJson(response, 503, { message: 'Broken before' });
    const answer = await fetch(`${serviceUrl}${path}`, {
      method: request.method ?? 'GET',
      headers: Object.fromEntries(
        FORWARDED_HEADERS.flatMap((name) =>
          request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]],
        ),
      ),
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    if (failure === 'unanswered') return answerJson(response, 503, { message: 'Broken after' });
    const back = RETURNED_HEADERS.flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    response.writeHead(answer.status, Object.fromEntries(back)).end(text);
  }

  stub.respondWith(
    (request, response) => void pass(request, response).catch((error: unknown) => response.destroy(toError(error))),
  );
  return {
    url: stub.url,
    requests,
    failWhen: (next) => {
      decide = next;
    },
    close: () => stub.close(),
  };
}
