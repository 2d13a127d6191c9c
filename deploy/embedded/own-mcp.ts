/**
 * MCP on the service's own port: the bridge runs in the same process, and calls the HTTP contract like every other
 * client.
 */
import type { Socket } from 'node:net';
import type { EdgeMiddleware } from '../../shared/http/edge-state.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { Metrics } from '../../shared/kernel/metrics/metrics.js';
import { createBridge, createBridgeClient, createToolset } from '../mcp/bridge.js';
import type { ToolsetConfig } from '../mcp/bridge-config.js';
import { type McpEdge, serveMcp } from '../mcp/http/serve-mcp.js';

export type OwnMcp = {
  readonly config: McpEdge['config'] & ToolsetConfig;
  readonly version: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
};

export function createOwnMcp({ config, version, logger, metrics }: OwnMcp): EdgeMiddleware {
  return serveMcp({
    bridge: createBridge({ ...createToolset(config), version, logger, metrics }),
    config,
    clientFor: (token, { req }) => createBridgeClient({ baseUrl: ownUrl(req.socket), token, version }),
  });
}

/** The address that received the request leads back to this process, whatever address it listens on. */
function ownUrl({ localAddress = '127.0.0.1', localPort }: Socket): string {
  const address = localAddress.replace(/^::ffff:/iu, '');
  return `http://${address.includes(':') ? `[${address}]` : address}:${localPort}`;
}
