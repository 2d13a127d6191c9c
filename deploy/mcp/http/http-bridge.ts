/** The bridge as an HTTP server of its own. A request passes the middleware in the order of this file. */
import Koa from 'koa';
import { EdgeError } from '../../../shared/http/edge-error.js';
import type { EdgeState } from '../../../shared/http/edge-state.js';
import {
  allowOrigins,
  answerProblems,
  identifyRequest,
  logRequest,
  rejectLongQuery,
} from '../../../shared/http/request-middleware.js';
import { traceRequest } from '../../../shared/http/trace-request.js';
import type { Clock, Ids } from '../../../shared/kernel/clock.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { Bridge } from '../bridge.js';
import { createBridgeClient } from '../bridge-client.js';
import type { McpEdgeConfig } from '../bridge-config.js';
import { answerProbes } from './answer-probes.js';
import { serveMcp } from './serve-mcp.js';
import { watchService } from './watch-service.js';

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
