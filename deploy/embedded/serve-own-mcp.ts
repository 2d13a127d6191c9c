/** Serves MCP on the service's own port: the bridge runs in the same process, and calls the HTTP contract like every other client. */
import type { Socket } from 'node:net';
import type { EdgeMiddleware } from '../../shared/http/edge-state.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { Metrics } from '../../shared/kernel/metrics/metrics.js';
import { createBridge } from '../mcp/bridge.js';
import { createBridgeClient } from '../mcp/bridge-client.js';
import type { McpEdgeConfig } from '../mcp/bridge-config.js';
import { serveMcp } from '../mcp/http/serve-mcp.js';
import { createTools } from '../mcp/tools.js';

export function serveOwnMcp({
  config,
  version,
  logger,
  metrics,
}: {
  readonly config: McpEdgeConfig & { readonly tokenBudget: number };
  readonly version: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
}): EdgeMiddleware {
  const bridge = createBridge({
    tools: createTools(config),
    tokenBudget: config.tokenBudget,
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
