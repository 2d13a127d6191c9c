/** The real HTTP edge on a real port, over handlers that answer with the request that they received. */
import type { OperationName } from '../../../shared/contract/operations.js';
import { type AppDependencies, createApp } from '../../../shared/http/app.js';
import { createEdgeHandlers } from '../../../shared/http/edge-handlers.js';
import type { BodyReply, Handlers, RequestContext } from '../../../shared/http/handler.js';
import { listen } from '../../../shared/http/listen.js';
import { silentLogger } from '../../../shared/kernel/logger.js';

/** The reply body of each handler. */
export type Echo = {
  readonly params: { readonly id?: string };
  readonly query: Record<string, unknown>;
  readonly body: Record<string, unknown>;
  readonly context: RequestContext;
};

export type Edge = {
  readonly url: string;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  readonly post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>;
  readonly close: () => Promise<void>;
};

/** Longer than the timeout of any test, so a test that reaches it fails. */
const DEADLINE_MS = 60_000;

type EdgeOverrides = Partial<Omit<AppDependencies, 'ids'>>;

export async function openEdge({ handlers = {}, ...overrides }: EdgeOverrides = {}): Promise<Edge> {
  let requests = 0;
  const app = createApp({
    handlers: { ...echoHandlers(), ...handlers },
    tokens: { api: [], admin: null, internal: null },
    logger: silentLogger,
    ids: { uuid: () => `00000000-0000-4000-8000-${String((requests += 1)).padStart(12, '0')}` },
    allowedOrigins: ['*'],
    isLoopbackOnly: false,
    ...overrides,
  });
  const { port, close } = await listen(app, { port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    get: (path, headers = {}) => fetch(url + path, { headers }),
    post: (path, body, headers = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    close: () => close(DEADLINE_MS),
  };
}

export async function echoOf(response: Response): Promise<Echo> {
  return (await response.json()) as Echo;
}

function echoHandlers(): Partial<Handlers<OperationName>> {
  const names = [
    'storeMemory',
    'storeBatch',
    'listByTag',
    'deleteByTag',
    'getMemory',
    'updateMemory',
    'deleteMemory',
    'associate',
    'recall',
    'enrichmentStatus',
    'health',
  ] as const satisfies readonly OperationName[];
  const echo = async (body: Echo): Promise<BodyReply<Echo>> => ({ status: 200, body });
  // An echo has none of the bodies of the contract.
  const echoes = Object.fromEntries(names.map((name) => [name, echo])) as unknown as Partial<Handlers<OperationName>>;
  return { ...echoes, ...createEdgeHandlers({ pings: { journal: async () => undefined }, version: 'test' }) };
}
