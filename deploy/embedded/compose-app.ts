/** The HTTP surface of the service in one process. */
import type { Socket } from 'node:net';
import { createApp, type EdgeApp } from '../../shared/http/app.js';
import type { CheckKey } from '../../shared/http/auth.js';
import { createEdgeHandlers } from '../../shared/http/edge-handlers.js';
import type { EdgeMiddleware } from '../../shared/http/edge-state.js';
import type { CommandOperation, Handlers, OpenRequests, QueryOperation } from '../../shared/http/handler.js';
import { requireSameJournal } from '../../shared/integrity/journal-mark/watch-mark.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { Metrics } from '../../shared/kernel/metrics/metrics.js';
import { createBridge, createBridgeClient, createToolset } from '../mcp/bridge.js';
import type { ToolsetConfig } from '../mcp/bridge-config.js';
import { type McpEdge, serveMcp } from '../mcp/http/serve-mcp.js';
import type { ServiceOptions } from './engines.js';

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
 * Serves MCP on the service's own port: the bridge runs in the same process, and calls the HTTP contract like every
 * other client.
 */
function serveOwnMcp({
  config,
  version,
  logger,
  metrics,
}: {
  readonly config: McpEdge['config'] & ToolsetConfig;
  readonly version: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
}): EdgeMiddleware {
  const bridge = createBridge({
    ...createToolset(config),
    version,
    logger,
    metrics,
  });
  return serveMcp({
    bridge,
    config,
    clientFor: (token, { req }) => createBridgeClient({ baseUrl: ownUrl(req.socket), token, version }),
  });
}

/** The address that received the request leads back to this process, whatever address it listens on. */
function ownUrl({ localAddress = '127.0.0.1', localPort }: Socket): string {
  const address = localAddress.replace(/^::ffff:/iu, '');
  return `http://${address.includes(':') ? `[${address}]` : address}:${localPort}`;
}
