/** The bridge as an HTTP server of its own. A request passes the middleware in the order of this file. */
import Koa from 'koa';
import { EdgeError } from '../../../shared/http/edge-error.js';
import type { EdgeMiddleware, EdgeState } from '../../../shared/http/edge-state.js';
import {
  allowOrigins,
  answerProblems,
  identifyRequest,
  logRequest,
  rejectLongQuery,
} from '../../../shared/http/request-middleware.js';
import { traceRequest } from '../../../shared/http/trace-request.js';
import { writeReply } from '../../../shared/http/write-reply.js';
import { type Clock, formatTimestamp, type Ids } from '../../../shared/kernel/clock.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { Bridge } from '../bridge.js';
import { createBridgeClient } from '../bridge-client.js';
import type { McpEdgeConfig } from '../bridge-config.js';
import { MCP_PATH, serveMcp } from './serve-mcp.js';
import { type ServiceState, type ServiceWatch, watchService } from './watch-service.js';

export type HttpBridgeDependencies = {
  readonly bridge: Bridge;
  readonly config: McpEdgeConfig & { readonly corsOrigins: readonly string[] };
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
  app.use(answerProblems(logger));
  app.use(allowOrigins(config.corsOrigins));
  app.use(rejectLongQuery());
  app.use(answerProbes({ watch, clock }));
  app.use(serveMcp({ bridge, config, clientFor: (token) => createBridgeClient({ baseUrl, token, version }) }));
  app.use(() => {
    throw new EdgeError(404, NOT_FOUND);
  });
  app.on('error', (error: unknown) => logger.debug({ err: error }, 'sending an answer failed'));
  return Object.assign(app, { sendsContinue: true as const });
}

const STATUS = { unknown: 'starting', reachable: 'healthy', unreachable: 'degraded' } as const satisfies Record<
  ServiceState['upstream'],
  string
>;
const RETRY_AFTER_SECONDS = '5';

/**
 * The health checks of the bridge: `/health` for people, always 200, and `/ready` for orchestrators, 503 while the
 * service does not answer.
 */
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
      ...stateFields(isHealth ? watch.lastState() : await watch.check()),
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

function stateFields({ upstream, error, details, checkedAt }: ServiceState) {
  return {
    status: STATUS[upstream],
    upstream,
    upstream_error: error,
    upstream_details: details,
    checked_at: checkedAt,
  };
}
