/**
 * The bridge over either transport in the test's process, with short timeouts and retries. The real ones take half a
 * minute.
 */
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import Koa from 'koa';
import { createBridge, createTools } from '../../../deploy/mcp/bridge.js';
import { mcpEdgeConfig } from '../../../deploy/mcp/bridge-config.js';
import { serveMcp } from '../../../deploy/mcp/http/serve-mcp.js';
import { serveStdio } from '../../../deploy/mcp/stdio/serve-stdio.js';
import { createClient } from '../../../shared/client/http-client.js';
import type { EdgeState } from '../../../shared/http/edge-state.js';
import { listen } from '../../../shared/http/listen.js';
import { answerProblems, identifyRequest } from '../../../shared/http/request-middleware.js';
import { randomIds } from '../../../shared/kernel/clock.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { connectTo, type McpClient, type TRANSPORTS } from './mcp.js';

export type FastRetryOptions = {
  readonly url: string;
  readonly timeoutMs?: number;
  readonly retryDelaysMs?: readonly number[];
};

const TOKEN_BUDGET = 18_000;
const PARENT_WATCH_MS = 60_000;
const STOP_DEADLINE_MS = 2_000;

export function connectFastRetryMcp(
  transport: (typeof TRANSPORTS)[number],
  { url, timeoutMs = 5_000, retryDelaysMs = [1] }: FastRetryOptions,
): Promise<McpClient> {
  const bridge = createBridge({
    tools: createTools({ tokenBudget: TOKEN_BUDGET }),
    tokenBudget: TOKEN_BUDGET,
    version: '0.0.0-test',
    logger: silentLogger,
  });
  const client = createClient({ baseUrl: url, token: null, userAgent: 'test', timeoutMs, retryDelaysMs });
  return transport === 'stdio' ? overStdio({ bridge, client }) : overHttp({ bridge, client });
}

type Parts = { readonly bridge: ReturnType<typeof createBridge>; readonly client: ReturnType<typeof createClient> };

async function overStdio({ bridge, client }: Parts): Promise<McpClient> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const host = { stdin, stdout, stderr, ppid: process.ppid, on: () => undefined };
  const running = await serveStdio({ bridge, client, host, parentWatchMs: PARENT_WATCH_MS, logger: silentLogger });
  const mcp = new Client({ name: 'palimpsest-test', version: '0.0.0' });
  await mcp.connect(new StdioServerTransport(stdout, stdin)); // the same streams, from the other end
  return {
    client: mcp,
    close: async () => {
      await mcp.close();
      await running.stop();
    },
  };
}

async function overHttp({ bridge, client }: Parts): Promise<McpClient> {
  const app = new Koa<EdgeState>();
  app.use(identifyRequest(randomIds));
  app.use(answerProblems(silentLogger));
  app.use(
    serveMcp({
      bridge,
      config: { ...mcpEdgeConfig({ MCP_ALLOW_ANONYMOUS: 'true' }), oidc: null },
      clientFor: () => client,
    }),
  );
  const server = await listen(app, { port: 0, host: '127.0.0.1' });
  const mcp = await connectTo(`http://127.0.0.1:${server.port}/mcp`);
  return {
    client: mcp,
    close: async () => {
      await mcp.close();
      await server.close(STOP_DEADLINE_MS);
    },
  };
}
