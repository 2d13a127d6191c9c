/** The HTTP surface of the service in one process. */
import { createApp, type EdgeApp } from '../../shared/http/app.js';
import { createEdgeHandlers } from '../../shared/http/edge-handlers.js';
import type { CommandOperation, Handlers, QueryOperation } from '../../shared/http/handler.js';
import type { OpenRequests } from '../../shared/http/open-requests.js';
import { requireSameJournal } from '../../shared/integrity/journal-mark/watch-mark.js';
import type { Metrics } from '../../shared/kernel/metrics/metrics.js';
import type { ServiceOptions } from './engines.js';
import { serveOwnMcp } from './serve-own-mcp.js';

export function composeApp({
  handlers,
  openRequests,
  engines: { graph, journal, checkMark, writable, vectors },
  config: { edge, mcp },
  version,
  logger,
  metrics,
  ids,
}: ServiceOptions & {
  readonly handlers: Handlers<CommandOperation | QueryOperation>;
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
    allowedOrigins: edge.allowedOrigins,
    isLoopbackOnly: edge.isLoopbackOnly,
    logger,
    metrics,
    ids,
    ...(mcp !== null && { extraRoutes: serveOwnMcp({ config: mcp, version, logger, metrics }) }),
  });
}
