/** The HTTP surface of the service in one process. */
import { createApp, type EdgeApp } from '../../shared/http/app.js';
import type { CheckKey } from '../../shared/http/auth.js';
import { createEdgeHandlers } from '../../shared/http/edge-handlers.js';
import type { EdgeMiddleware } from '../../shared/http/edge-state.js';
import type { CommandOperation, Handlers, OpenRequests, QueryOperation } from '../../shared/http/handler.js';
import { MCP_PATH } from '../../shared/http/resource-metadata.js';
import { requireSameJournal } from '../../shared/integrity/journal-mark/watch-mark.js';
import type { Metrics } from '../../shared/kernel/metrics/metrics.js';
import type { ServiceOptions } from './engines.js';
import type { OwnMcp } from './own-mcp.js';

export function composeApp({
  handlers,
  openRequests,
  engines: { graph, journal, checkMark, writable, vectors },
  historyId,
  config: { edge, mcp },
  version,
  logger,
  metrics,
  checkKey,
  ids,
  clock,
}: ServiceOptions & {
  readonly handlers: Handlers<CommandOperation | QueryOperation>;
  readonly checkKey: CheckKey;
  /** The identity of the journal, which stays the same while this process has the data folder. */
  readonly historyId: string;
  /** Counts the calls of the handlers. */
  readonly openRequests: OpenRequests;
  readonly metrics: Metrics;
}): EdgeApp {
  const pings = {
    graph: () => graph.ping(),
    journal: () => journal.ping(),
    ...(checkMark && { mark: async () => requireSameJournal(await checkMark()) }),
    ...(writable && { writes: writable }),
  };
  return createApp({
    handlers: {
      ...openRequests.counting<CommandOperation | QueryOperation>(handlers),
      ...createEdgeHandlers({ pings, version, vectorSize: vectors.dimension }),
    },
    tokens: edge.tokens,
    checkKey,
    oidc: edge.oidc,
    allowedOrigins: edge.allowedOrigins,
    isLoopbackOnly: edge.isLoopbackOnly,
    logger,
    metrics,
    ids,
    clock,
    historyId: () => historyId,
    ...(mcp !== null && {
      extraRoutes: serveOwnMcp({ config: { ...mcp, oidc: edge.oidc }, version, logger, metrics }),
    }),
  });
}

/**
 * Serves MCP on the service's own port. The first request for it loads the packages of MCP, which take 400 ms of
 * processor time: a start without a client of MCP does not.
 */
function serveOwnMcp(options: OwnMcp): EdgeMiddleware {
  let loading: Promise<EdgeMiddleware> | undefined;
  return async (context, next) => {
    if (context.path !== MCP_PATH) return next();
    loading ??= import('./own-mcp.js').then(({ createOwnMcp }) => createOwnMcp(options));
    return (await loading)(context, next);
  };
}
