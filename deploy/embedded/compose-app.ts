/** The HTTP surface of the service in one process. */
import { createApp, type EdgeApp } from '../../shared/http/app.js';
import { createEdgeHandlers } from '../../shared/http/edge-handlers.js';
import type { Tenancy } from '../../shared/http/tenancy.js';
import { requireSameJournal } from '../../shared/integrity/journal-mark/watch-mark.js';
import { NO_METRICS } from '../../shared/kernel/metrics/metrics.js';
import type { ComposedService } from './compose-service.js';
import type { Engines, ServiceOptions } from './engines.js';

export async function composeApp({
  service: { handlers, checkKey, historyId, engines },
  tenancy = null,
  config: { edge, mcp },
  version,
  logger,
  metrics = NO_METRICS,
  ids,
  clock,
}: Pick<ServiceOptions, 'config' | 'version' | 'logger' | 'metrics' | 'ids' | 'clock'> & {
  /** Of the default tenant. */
  readonly service: Pick<ComposedService, 'handlers' | 'checkKey' | 'historyId'> & {
    readonly engines: Pick<Engines, 'graph' | 'journal' | 'checkMark' | 'writable' | 'vectors'>;
  };
  /** Serves the other tenants; null without them. */
  readonly tenancy?: Tenancy | null;
}): Promise<EdgeApp> {
  const { graph, journal, checkMark, writable, vectors } = engines;
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
    handlers: { ...handlers, ...createEdgeHandlers({ pings, version, vectorSize: vectors.dimension }) },
    tokens: edge.tokens,
    checkKey,
    tenancy,
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
