/**
 * The gateway in Node, for machines without nginx: the same routing table and the same answers. Request and response
 * bodies are streamed, not buffered. When an instance fails, a read goes to another instance; a command does so only if
 * nothing of it was sent.
 */
import { setMaxListeners } from 'node:events';
import { Agent, type IncomingMessage, type RequestListener } from 'node:http';
import { ADMISSION_LIMITS, createAdmission } from '../../shared/http/admission.js';
import { createArrivals } from '../../shared/http/arrivals.js';
import { EdgeError } from '../../shared/http/edge-state.js';
import { isTraced } from '../../shared/http/request-middleware.js';
import type { Ids } from '../../shared/kernel/clock.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { type Metrics, NO_METRICS } from '../../shared/kernel/metrics/metrics.js';
import { readTraceparent } from '../../shared/kernel/tracing/traceparent.js';
import { currentTraceparent, withSpan } from '../../shared/kernel/tracing/tracing.js';
import { callerOf, createCallers } from './callers.js';
import { type Exchange, exchangeOf, sendLiveness, sendProblem, sendResponse } from './exchange.js';
import { type Attempt, type Balancer, createBalancer, forward, type Instance } from './forward.js';
import { requestHeaders } from './forwarded-headers.js';
import { GATEWAY_LIMITS, type GatewayLimits, type GatewayProblemStatus } from './gateway-limits.js';
import type { Api } from './routes.js';

export type RouterDependencies = {
  readonly instances: Readonly<Record<Api, readonly URL[]>>;
  readonly logger: Logger;
  readonly ids: Ids;
  readonly metrics?: Pick<Metrics, 'observe'> | undefined;
  readonly limits?: Partial<GatewayLimits>;
};

export type Router = {
  readonly callback: () => RequestListener;
  /** Ends all open streams. */
  readonly beginStop: () => void;
  /** Called with each new connection. */
  readonly onConnection: () => void;
  /** Called after its HTTP server has closed. */
  readonly close: () => void;
};

/** `isFinal`: the request must not go to another instance. */
type Outcome = Attempt & { readonly isFinal: boolean };

const TRIES = 3;
/**
 * So many requests wait for the answer of an instance, and so many begin in one turn of the event loop, those of the
 * callers in turn. An instance works on fewer. A request that waits longer leaves its place to the next one.
 */
const UNANSWERED_PER_INSTANCE = 32;
/** Below the 65 s of the APIs: a command on a connection that is just being closed could not be repeated. */
const IDLE_CONNECTION_MS = 55_000;

export function createRouter({
  instances,
  logger,
  ids,
  metrics = NO_METRICS,
  limits: given,
}: RouterDependencies): Router {
  const limits = { ...GATEWAY_LIMITS, ...given };
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // one listener for each stream; each instance limits its streams
  const agent = new Agent({
    keepAlive: true,
    // An instance accepts one connection at a time: one that is opened again may wait behind those of other callers.
    maxFreeSockets: limits.requestsPerInstance,
    timeout: IDLE_CONNECTION_MS,
  });
  const balancers: Record<Api, Balancer> = {
    command: createBalancer(instances.command, limits),
    query: createBalancer(instances.query, limits),
  };

  const callers = createCallers(limits);
  const arrivals = createArrivals();
  const cores = instances.command.length + instances.query.length;
  const admission = { ...ADMISSION_LIMITS, lightCapacity: UNANSWERED_PER_INSTANCE, cores };
  const admit = createAdmission(NO_METRICS, admission, arrivals);

  const answer = async (exchange: Exchange): Promise<void> => {
    const { incoming, outgoing, target, api } = exchange;
    if (api === null) return sendProblem(exchange, 404);
    if (api === 'gateway') return sendLiveness(exchange);
    if (target.length > limits.requestLineBytes) return sendProblem(exchange, 414);
    if (Number(incoming.headers['content-length'] ?? 0) > limits.bodyBytes) return sendProblem(exchange, 413);
    const caller = callerOf(incoming);
    const end = callers.begin(caller);
    if (end === null) return sendProblem(exchange, 429);
    if (outgoing.destroyed) return end();
    outgoing.once('close', end);
    const endWork = await admit({ caller, units: 1, signal: exchange.signal });
    const candidates = balancers[api].candidates().slice(0, TRIES);
    const outcome = await tryInstances(candidates, (instance) =>
      attemptAt(instance, exchange, { agent, limits, api }),
    ).finally(endWork);
    if (typeof outcome === 'number') return sendProblem(exchange, outcome);
    sendResponse(outcome, exchange, { ...limits, stopping: stop.signal });
  };

  return {
    callback: () => (incoming, outgoing) => {
      const startedAt = performance.now();
      const exchange = exchangeOf(incoming, outgoing, ids);
      const { requestId, target, api } = exchange;
      outgoing.once('close', () => {
        const durationMs = Math.round((performance.now() - startedAt) * 100) / 100;
        const labels = { api: api ?? 'none', status: String(outgoing.statusCode) };
        metrics.observe('palimpsest_gateway_request_duration_seconds', labels, durationMs / 1_000);
        logger.info(
          { requestId, method: incoming.method, path: target.split('?')[0], status: outgoing.statusCode, durationMs },
          'request',
        );
      });
      traceExchange(exchange, () =>
        answer(exchange).catch((err: unknown) => {
          if (err instanceof EdgeError) return sendProblem(exchange, 429);
          logger.error({ err, requestId }, 'request forwarding failed');
          sendProblem(exchange, 500);
        }),
      );
    },
    beginStop: () => stop.abort(),
    onConnection: arrivals.onConnection,
    close: () => agent.destroy(),
  };
}

/** The first answer, or the status of the last failure; 503 without a candidate. */
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

type AttemptContext = { readonly agent: Agent; readonly limits: GatewayLimits; readonly api: Api };

async function attemptAt(
  instance: Instance,
  { incoming, target, requestId, signal }: Exchange,
  { agent, limits, api }: AttemptContext,
): Promise<Outcome> {
  const { method = 'GET', headers } = incoming;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const isRepeatable = (method === 'GET' || method === 'HEAD') && !hasBody;
  instance.inFlight += 1;
  const attempt = await forward({
    agent,
    method,
    path: target,
    signal,
    instance: instance.url,
    headers: requestHeaders(incoming, { requestId, traceparent: currentTraceparent() }),
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
  if (!signal.aborted && attempt.status !== 413) instance.failedAt = performance.now();
  return { ...attempt, isFinal: signal.aborted || (attempt.wasSent && !isRepeatable) };
}

/** Continues the trace of the client until the answer is sent. */
function traceExchange({ incoming, outgoing, target, api, requestId }: Exchange, answer: () => Promise<void>): void {
  if (!isTraced(target.split('?')[0] ?? '')) {
    void answer();
    return;
  }
  const attributes = { 'http.request.method': incoming.method ?? '', 'palimpsest.request_id': requestId };
  const parent = readTraceparent(incoming.headers['traceparent'] as string | undefined);
  void withSpan(`gateway ${api ?? 'none'}`, { kind: 'server', parent, attributes }, async (span) => {
    const sent = new Promise((resolve) => outgoing.once('close', resolve));
    await answer();
    await sent;
    span.set({ 'http.response.status_code': outgoing.statusCode });
    if (outgoing.statusCode >= 500) span.fail(String(outgoing.statusCode));
  });
}
