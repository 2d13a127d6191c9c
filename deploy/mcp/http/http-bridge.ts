/** Runs the bridge as an HTTP server for many clients. A request passes the middleware in the order of this file. */
import Koa from 'koa';
import { createClient } from '../../../shared/client/http-client.js';
import { EdgeError, type EdgeMiddleware, type EdgeState } from '../../../shared/http/edge-state.js';
import { listen } from '../../../shared/http/listen.js';
import {
  allowOrigins,
  answerProblems,
  identifyRequest,
  logRequest,
  rejectLongQuery,
  traceRequest,
} from '../../../shared/http/request-middleware.js';
import { MCP_PATH, serveResourceMetadata } from '../../../shared/http/resource-metadata.js';
import { writeReply } from '../../../shared/http/send-reply.js';
import { type Clock, formatTimestamp, type Ids, randomIds, systemClock } from '../../../shared/kernel/clock.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { Running } from '../../../shared/kernel/process.js';
import { type Bridge, createBridgeClient } from '../bridge.js';
import type { bridgeServerConfig, McpEdgeConfig } from '../bridge-config.js';
import { type McpEdge, serveMcp } from './serve-mcp.js';

export type HttpBridgeDependencies = {
  readonly bridge: Bridge;
  readonly config: McpEdge['config'] & { readonly corsOrigins: readonly string[] };
  /** The address of the service. */
  readonly baseUrl: string;
  readonly version: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
};

const NOT_FOUND = 'There is nothing here: MCP is posted to /mcp, and GET /health says how the bridge is';

export function createHttpBridge({
  bridge,
  config,
  baseUrl,
  version,
  logger,
  clock,
  ids,
}: HttpBridgeDependencies): Koa<EdgeState> & { readonly sendsContinue: true } {
  const watch = watchService({ baseUrl, userAgent: `palimpsest-mcp/${version}`, clock });
  void watch.check();
  const app = new Koa<EdgeState>();
  app.use(identifyRequest(ids));
  app.use(logRequest(logger));
  app.use(traceRequest());
  app.use(answerProblems(logger, config.oidc));
  app.use(allowOrigins(config.corsOrigins));
  app.use(rejectLongQuery());
  app.use(answerProbes({ watch, clock }));
  app.use(serveResourceMetadata(config.oidc));
  app.use(serveMcp({ bridge, config, clientFor: (token) => createBridgeClient({ baseUrl, token, version }) }));
  app.use(() => {
    throw new EdgeError(404, NOT_FOUND);
  });
  app.on('error', (error: unknown) => logger.debug({ err: error }, 'sending an answer failed'));
  return Object.assign(app, { sendsContinue: true as const });
}

const RETRY_AFTER_SECONDS = '5';

/** `/health` for people, always 200; `/ready` for orchestrators, 503 while the service does not answer. */
function answerProbes({ watch, clock }: { readonly watch: ServiceWatch; readonly clock: Clock }): EdgeMiddleware {
  return async (context, next) => {
    const isHealth = context.path === '/health';
    if (!isHealth && context.path !== '/ready') return next();
    context.state.operation = isHealth ? 'health' : 'readyz';
    if (context.method !== 'GET' && context.method !== 'HEAD')
      throw new EdgeError(405, 'Ask this path with GET', { allow: 'GET, HEAD, OPTIONS' });
    const body = {
      transports: ['streamable-http'],
      endpoints: { mcp: MCP_PATH, health: '/health', ready: '/ready' },
      ...(isHealth ? watch.lastState() : await watch.check()),
    };
    const meta = { timestamp: formatTimestamp(clock.now()), request_id: context.state.requestId };
    if (isHealth) void watch.check(); // `/health` answers with the last known state; the next request gets the new one
    const isReady = isHealth || body.upstream === 'reachable';
    writeReply(context, {
      status: isReady ? 200 : 503,
      body: { ...body, ...meta },
      headers: isReady ? {} : { 'retry-after': RETRY_AFTER_SECONDS },
    });
  };
}

export async function serveHttp({
  config,
  ...bridge
}: Omit<HttpBridgeDependencies, 'config' | 'clock' | 'ids'> & {
  readonly config: ReturnType<typeof bridgeServerConfig> & McpEdgeConfig;
}): Promise<{ readonly running: Running; readonly port: number }> {
  const app = createHttpBridge({ ...bridge, config, clock: systemClock, ids: randomIds });
  const server = await listen(app, { port: config.port, host: config.host });
  return {
    port: server.port,
    running: {
      logger: bridge.logger,
      stopDeadlineMs: config.stopDeadlineMs + 1_000,
      stop: () => server.close(config.stopDeadlineMs),
    },
  };
}

type ServiceState = {
  readonly status: 'starting' | 'healthy' | 'degraded';
  readonly upstream: 'unknown' | 'reachable' | 'unreachable';
  readonly upstream_error: string | null;
  /** The answer of the service's `/health`. */
  readonly upstream_details: Readonly<Record<string, unknown>> | null;
  readonly checked_at: string | null;
};

interface ServiceWatch {
  /** The result of the last check. */
  lastState(): ServiceState;
  /** Checks the service; callers within 2 s share one check. Never rejects. */
  check(): Promise<ServiceState>;
}

const TIMEOUT_MS = 5_000;
/** Orchestrators and load balancers each ask every few seconds, and the service pings its stores for every answer. */
const FRESH_MS = 2_000;

function watchService({
  baseUrl,
  userAgent,
  clock,
}: {
  readonly baseUrl: string;
  readonly userAgent: string;
  readonly clock: Clock;
}): ServiceWatch {
  const client = createClient({ baseUrl, token: null, userAgent, timeoutMs: TIMEOUT_MS, retryDelaysMs: [] });
  let state: ServiceState = {
    status: 'starting',
    upstream: 'unknown',
    upstream_error: null,
    upstream_details: null,
    checked_at: null,
  };
  let lastCheck: Promise<ServiceState> | null = null;
  let lastCheckAt = -Infinity;

  const check = async (): Promise<ServiceState> => {
    const answer = await client.call('health', {});
    const details = answer.kind === 'answered' ? healthOf(answer.body) : null;
    const error =
      answer.kind === 'answered'
        ? `The server at ${baseUrl} is not the memory service: correct AUTOMEM_API_URL`
        : answer.message;
    state = {
      ...(details === null
        ? ({ status: 'degraded', upstream: 'unreachable', upstream_error: error } as const)
        : ({ status: 'healthy', upstream: 'reachable', upstream_error: null } as const)),
      upstream_details: details,
      checked_at: formatTimestamp(clock.now()),
    };
    return state;
  };
  return {
    lastState: () => state,
    check: () => {
      if (lastCheck !== null && performance.now() - lastCheckAt < FRESH_MS) return lastCheck;
      lastCheckAt = performance.now();
      lastCheck = check();
      return lastCheck;
    },
  };
}

function healthOf(body: unknown): ServiceState['upstream_details'] {
  return typeof body === 'object' && body !== null && 'status' in body && typeof body.status === 'string'
    ? { ...body }
    : null;
}
