/** MCP as a client sees it: the official SDK, over stdio to a process of its own, or over Streamable HTTP to a bridge that listens. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { fileURLToPath } from 'node:url';
import { mcpEdgeConfig, recallBudget } from '../../deploy/mcp/bridge-config.js';
import { createBridge } from '../../deploy/mcp/create-bridge.js';
import { createTools } from '../../deploy/mcp/create-tools.js';
import { createHttpBridge } from '../../deploy/mcp/http/create-http-bridge.js';
import type { Tool } from '../../deploy/mcp/tool.js';
import { listen } from '../../shared/http/listen.js';
import { randomIds, systemClock } from '../../shared/kernel/clock.js';
import { silentLogger, type Logger } from '../../shared/kernel/logger.js';

export const MCP_MAIN = fileURLToPath(new URL('../../deploy/mcp/main.js', import.meta.url));
export const TRANSPORTS = ['stdio', 'http'] as const;

const STOP_DEADLINE_MS = 2_000;

export type McpClient = { readonly client: Client; readonly close: () => Promise<void> };

export type McpOptions = {
  /** Of the service. */
  readonly url: string;
  readonly token?: string;
  /** Further variables of the bridge. */
  readonly variables?: Readonly<Record<string, string>>;
};

/** A bridge of its own over the service, and a client of it. */
export function connectMcp(transport: (typeof TRANSPORTS)[number], options: McpOptions): Promise<McpClient> {
  return transport === 'stdio' ? connectOverStdio(options) : connectOverHttp(options);
}

async function connectOverStdio({ url, token, variables = {} }: McpOptions): Promise<McpClient> {
  const client = newClient();
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MCP_MAIN],
      env: { AUTOMEM_API_URL: url, ...(token === undefined ? {} : { AUTOMEM_API_KEY: token }), ...variables },
      stderr: 'ignore',
    }),
  );
  return { client, close: () => client.close() };
}

async function connectOverHttp({ url, token, variables = {} }: McpOptions): Promise<McpClient> {
  const bridge = await openHttpBridge({ url, variables: { MCP_ALLOW_ANONYMOUS: 'true', ...variables } });
  const client = await connectTo(bridge.mcpUrl, token === undefined ? {} : { authorization: `Bearer ${token}` });
  return {
    client,
    close: async () => {
      await client.close();
      await bridge.close();
    },
  };
}

/** A client of a bridge that is there. */
export async function connectTo(mcpUrl: string, headers: Readonly<Record<string, string>> = {}): Promise<Client> {
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit: { headers } }));
  return client;
}

export type HttpBridge = { readonly url: string; readonly mcpUrl: string; readonly close: () => Promise<void> };

/** The bridge that listens, in the test's own process. */
export async function openHttpBridge({
  url,
  variables = {},
  tools = createTools({ tokenBudget: recallBudget(variables) }),
  logger = silentLogger,
}: {
  readonly url: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly tools?: readonly Tool[];
  readonly logger?: Logger;
}): Promise<HttpBridge> {
  const version = '0.0.0-test';
  const app = createHttpBridge({
    bridge: createBridge({ tools, version, logger }),
    config: { ...mcpEdgeConfig(variables), corsOrigins: ['*'] },
    baseUrl: url,
    version,
    logger,
    clock: systemClock,
    ids: randomIds,
  });
  const server = await listen(app, { port: 0, host: '127.0.0.1' });
  const own = `http://127.0.0.1:${server.port}`;
  return { url: own, mcpUrl: `${own}/mcp`, close: () => server.close(STOP_DEADLINE_MS) };
}

function newClient(): Client {
  return new Client({ name: 'palimpsest-test', version: '0.0.0' });
}
