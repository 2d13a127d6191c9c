/** MCP on the service's own port: the bridge in the same process, and still a client of the HTTP contract like every other. */
import type { Socket } from 'node:net';
import type { EdgeMiddleware } from '../../shared/http/edge-state.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { createBridge } from '../mcp/create-bridge.js';
import { createBridgeClient } from '../mcp/create-bridge-client.js';
import { createTools } from '../mcp/create-tools.js';
import type { McpEdgeConfig } from '../mcp/bridge-config.js';
import { serveMcp } from '../mcp/http/serve-mcp.js';

export function serveOwnMcp({
  config,
  version,
  logger,
}: {
  readonly config: McpEdgeConfig & { readonly tokenBudget: number };
  readonly version: string;
  readonly logger: Logger;
}): EdgeMiddleware {
  const bridge = createBridge({ tools: createTools(config), version, logger });
  return serveMcp({
    bridge,
    config,
    clientFor: (token, { req }) => createBridgeClient({ baseUrl: ownUrl(req.socket), token, version }),
  });
}

/** The address on which the request came in leads back to this very process, whatever it listens on. */
function ownUrl({ localAddress = '127.0.0.1', localPort }: Socket): string {
  const address = localAddress.replace(/^::ffff:/iu, '');
  return `http://${address.includes(':') ? `[${address}]` : address}:${localPort}`;
}
