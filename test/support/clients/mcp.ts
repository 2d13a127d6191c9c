/**
 * Official MCP clients: over stdio to a bridge in its own process, or over Streamable HTTP to a bridge in this process.
 * The SDK's client knows the revisions up to 2025-11-25. The newer client knows 2026-07-28, too.
 */
import { fileURLToPath } from 'node:url';
import {
  Client as NewerClient,
  StreamableHTTPClientTransport as NewerHttpTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as NewerStdioTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createBridge, createToolset } from '../../../deploy/mcp/bridge.js';
import { mcpEdgeConfig, toolsetConfig } from '../../../deploy/mcp/bridge-config.js';
import { createHttpBridge } from '../../../deploy/mcp/http/http-bridge.js';
import type { Tool } from '../../../deploy/mcp/tool.js';
import { oidcConfig } from '../../../shared/http/edge-variables.js';
import { listen } from '../../../shared/http/listen.js';
import { randomIds, systemClock } from '../../../shared/kernel/clock.js';
import { type Logger, silentLogger } from '../../../shared/kernel/logger.js';

export const MCP_MAIN = fileURLToPath(new URL('../../../deploy/mcp/main.js', import.meta.url));
export const TRANSPORTS = ['stdio', 'http'] as const;
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
type Revision = (typeof REVISIONS)[number];

const STOP_DEADLINE_MS = 2_000;

export type McpClient = { readonly client: Client; readonly close: () => Promise<void> };

export type McpOptions = {
  /** The URL of the service. */
  readonly url: string;
  readonly token?: string;
  /** More variables for the bridge. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Connects the newer client, which then speaks this revision. Without it the SDK's client connects. */
  readonly revision?: Revision | undefined;
};

/** Starts a bridge for the service and connects a client to it. */
export function connectMcp(transport: (typeof TRANSPORTS)[number], options: McpOptions): Promise<McpClient> {
  return transport === 'stdio' ? connectOverStdio(options) : connectOverHttp(options);
}

async function connectOverStdio({ url, token, variables = {}, revision }: McpOptions): Promise<McpClient> {
  const program = {
    command: process.execPath,
    args: [MCP_MAIN],
    env: { AUTOMEM_API_URL: url, ...(token === undefined ? {} : { AUTOMEM_API_KEY: token }), ...variables },
    stderr: 'ignore' as const,
  };
  const client = newClient(revision);
  await client.connect(revision === undefined ? new StdioClientTransport(program) : new NewerStdioTransport(program));
  return { client, close: () => client.close() };
}

async function connectOverHttp({ url, token, variables = {}, revision }: McpOptions): Promise<McpClient> {
  const bridge = await openHttpBridge({ url, variables: { MCP_ALLOW_ANONYMOUS: 'true', ...variables } });
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const client = await connectTo(bridge.mcpUrl, headers, revision).catch(async (error: unknown) => {
    await bridge.close();
    throw error;
  });
  return {
    client,
    close: async () => {
      await client.close();
      await bridge.close();
    },
  };
}

/** Connects a client to a running bridge. */
export async function connectTo(
  mcpUrl: string,
  headers: Readonly<Record<string, string>> = {},
  revision?: Revision,
): Promise<Client> {
  const client = newClient(revision);
  const Transport = revision === undefined ? StreamableHTTPClientTransport : NewerHttpTransport;
  await client.connect(new Transport(new URL(mcpUrl), { requestInit: { headers } }));
  return client;
}

export type HttpBridge = { readonly url: string; readonly mcpUrl: string; readonly close: () => Promise<void> };

/** Opens the HTTP bridge in the test's process. */
export async function openHttpBridge({
  url,
  variables = {},
  tools,
  logger = silentLogger,
}: {
  readonly url: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly tools?: readonly Tool[];
  readonly logger?: Logger;
}): Promise<HttpBridge> {
  const version = '0.0.0-test';
  const app = createHttpBridge({
    bridge: createBridge({
      ...createToolset(toolsetConfig(variables)),
      ...(tools !== undefined && { tools }),
      version,
      logger,
    }),
    config: { ...mcpEdgeConfig(variables), oidc: oidcConfig(variables), corsOrigins: ['*'] },
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

export type McpReply = {
  readonly isError: boolean;
  readonly text: string;
  // Tests read answers of any shape and assert the parts that they read.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly fields: any;
};

/** Calls one tool through the official client and joins all text blocks of the reply. */
export async function callOverMcp({ client }: McpClient, tool: string, given?: object): Promise<McpReply> {
  const { content, structuredContent, isError } = await client.callTool({
    name: tool,
    ...(given === undefined ? {} : { arguments: { ...given } }),
  });
  const text = (content as readonly { readonly text: string }[]).map((block) => block.text).join('\n');
  return { isError: isError === true, text, fields: structuredContent ?? {} };
}

function newClient(revision: Revision | undefined): Client {
  const info = { name: 'palimpsest-test', version: '0.0.0' };
  if (revision === undefined) return new Client(info);
  const mode = revision === '2026-07-28' ? 'auto' : 'legacy';
  // Tests use the methods that both clients have.
  return new NewerClient(info, { versionNegotiation: { mode } }) as unknown as Client;
}

/** What the newer client and the bridge have agreed on. */
export function revisionOf({ client }: McpClient): string | undefined {
  return (client as unknown as NewerClient).getNegotiatedProtocolVersion();
}
