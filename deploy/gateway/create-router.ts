/**
 * The gateway in Node, for machines without nginx: the same routing table and the same answers. Both bodies are streamed, nothing is kept. A
 * read goes to another instance when one fails; a command does so only as long as nothing of it was sent.
 */
import { setMaxListeners } from 'node:events';
import { Agent, type IncomingMessage, type RequestListener } from 'node:http';
import type { Ids } from '../../shared/kernel/clock.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { createBalancer, type Balancer, type Instance } from './create-balancer.js';
import { exchangeOf, pass, refuse, type Exchange } from './exchange.js';
import { forward, type Attempt } from './forward.js';
import { GATEWAY_LIMITS, type GatewayLimits } from './gateway-limits.js';
import type { GatewayProblemStatus } from './gateway-problems.js';
import { requestHeaders } from './passed-headers.js';
import { apiOf, type Api } from './routes.js';

export type RouterDependencies = {
  readonly instances: Readonly<Record<Api, readonly URL[]>>;
  readonly logger: Logger;
  readonly ids: Ids;
  readonly limits?: Partial<GatewayLimits>;
};

export type Router = {
  readonly callback: () => RequestListener;
  /** Streams end now. */
  readonly beginStop: () => void;
  /** After the server that it listened with. */
  readonly close: () => void;
};

/** `isFinal`: no other instance may have the request. */
type Outcome = Attempt & { readonly isFinal: boolean };

const TRIES = 3;
/** Idle connections end before the APIs end them (65 s): a command that meets a connection just being closed could not be repeated. */
const IDLE_CONNECTION_MS = 55_000;
const IDLE_CONNECTIONS = 64;

export function createRouter({ instances, logger, ids, limits: given }: RouterDependencies): Router {
  const limits = { ...GATEWAY_LIMITS, ...given };
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // one for each stream, of which every instance has a limit
  const agent = new Agent({ keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS, timeout: IDLE_CONNECTION_MS });
  const balancers: Record<Api, Balancer> = {
    command: createBalancer(instances.command, limits),
    query: createBalancer(instances.query, limits),
  };

  const answer = async (exchange: Exchange): Promise<void> => {
    const { incoming, target } = exchange;
    const api = apiOf(incoming.method ?? '', target.split('?')[0] ?? '');
    if (api === null) return refuse(exchange, 404);
    if (target.length > limits.requestLineBytes) return refuse(exchange, 414);
    if (Number(incoming.headers['content-length'] ?? 0) > limits.bodyBytes) return refuse(exchange, 413);
    const outcome = await tryInstances(balancers[api].candidates().slice(0, TRIES), (instance) =>
      attemptAt(instance, exchange, { agent, limits, api }),
    );
    if (typeof outcome === 'number') return refuse(exchange, outcome);
    pass(outcome, exchange, { ...limits, stopping: stop.signal });
  };

  return {
    callback: () => (incoming, outgoing) => {
      const startedAt = performance.now();
      const exchange = exchangeOf(incoming, outgoing, ids);
      const { requestId, target } = exchange;
      outgoing.once('close', () => {
        const durationMs = Math.round((performance.now() - startedAt) * 100) / 100;
        logger.info(
          { requestId, method: incoming.method, path: target.split('?')[0], status: outgoing.statusCode, durationMs },
          'request',
        );
      });
      answer(exchange).catch((error: unknown) => {
        logger.error({ error, requestId }, 'a request could not be passed on');
        refuse(exchange, 500);
      });
    },
    beginStop: () => stop.abort(),
    close: () => agent.destroy(),
  };
}

/** The first answer, else the status that says why there is none. */
async function tryInstances(
  candidates: readonly Instance[],
  attempt: (instance: Instance) => Promise<Outcome>,
): Promise<IncomingMessage | GatewayProblemStatus> {
  let status: GatewayProblemStatus = 503;
  for (const instance of candidates) {
    const outcome = await attempt(instance);
    if (outcome.kind === 'answered') return outcome.response;
    status = outcome.status;
    if (outcome.isFinal) break;
  }
  return status;
}

type Means = { readonly agent: Agent; readonly limits: GatewayLimits; readonly api: Api };

async function attemptAt(
  instance: Instance,
  { incoming, target, requestId, signal }: Exchange,
  { agent, limits, api }: Means,
): Promise<Outcome> {
  const { method = 'GET', headers } = incoming;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const isRepeatable = (method === 'GET' || method === 'HEAD') && !hasBody;
  instance.inFlight += 1;
  const attempt = await forward({
    agent,
    method,
    target,
    signal,
    instance: instance.url,
    headers: requestHeaders(incoming, requestId),
    body: hasBody ? incoming : null,
    connectTimeoutMs: limits.connectTimeoutMs,
    answerTimeoutMs: api === 'command' ? limits.commandTimeoutMs : limits.readTimeoutMs,
  });
  if (attempt.kind === 'answered') {
    attempt.response.once('close', () => {
      instance.inFlight -= 1;
    });
    return { ...attempt, isFinal: true };
  }
  instance.inFlight -= 1;
  if (!signal.aborted) instance.failedAt = performance.now();
  return { ...attempt, isFinal: signal.aborted || (attempt.wasSent && !isRepeatable) };
}
