/** The HTTP surface of the service in one process. */
import { createApp, type EdgeApp } from '../../shared/http/app.js';
import type { CheckKey } from '../../shared/http/auth.js';
import { createEdgeHandlers } from '../../shared/http/edge-handlers.js';
import type { CommandOperation, Handlers, OpenRequests, QueryOperation } from '../../shared/http/handler.js';
import { requireSameJournal } from '../../shared/integrity/journal-mark/watch-mark.js';
import type { Metrics } from '../../shared/kernel/metrics/metrics.js';
import type { ServiceOptions } from './engines.js';

export async function composeApp({
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
}): Promise<EdgeApp> {
  const pings = {
    graph: () => graph.ping(),
    journal: () => journal.ping(),
    ...(checkMark && { mark: async () => requireSameJournal(await checkMark()) }),
    ...(writable && { writes: writable }),
  };
  // Loaded only where MCP is on: its packages take 400 ms of processor time.
  const ownMcp =
    mcp === null
      ? null
      : (await import('./own-mcp.js')).createOwnMcp({ config: { ...mcp, oidc: edge.oidc }, version, logger, metrics });
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
    ...(ownMcp !== null && { extraRoutes: ownMcp }),
  });
}
