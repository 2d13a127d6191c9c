/**
 * MCP's Streamable HTTP as a stage of an edge: `/mcp`, without sessions. Every request has a server of its own, and the token of its
 * caller: two clients share nothing, and any process behind a balancer can answer. The price: `notifications/cancelled` comes as a request
 * of its own and finds nothing to cancel. Here a call is cancelled by hanging up.
 */
import { createHash } from 'node:crypto';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Client } from '../../../shared/client/client.js';
import { EdgeError } from '../../../shared/http/edge-error.js';
import type { EdgeContext, EdgeMiddleware } from '../../../shared/http/edge-state.js';
import { UnauthenticatedError } from '../../../shared/kernel/errors.js';
import type { McpEdgeConfig } from '../bridge-config.js';
import type { Bridge } from '../create-bridge.js';
import { callerToken, MISSING_TOKEN } from './caller-token.js';
import { readMessages, wantsProgress } from './read-messages.js';
import { refuseRebinding } from './refuse-rebinding.js';

export const MCP_PATH = '/mcp';
const WRONG_METHOD =
  'MCP is posted here: send POST with a message of JSON-RPC. There are no sessions to end and no stream to listen to.';
const NAME_DIGITS = 12;

export type McpEdge = {
  readonly bridge: Bridge;
  readonly config: McpEdgeConfig;
  /** A client of the service for one request, with the token of its caller and no other. */
  readonly clientFor: (token: string | null, context: EdgeContext) => Client;
};

/** Hands on every other path. */
export function serveMcp({ bridge, config, clientFor }: McpEdge): EdgeMiddleware {
  return async (context, next) => {
    if (context.path !== MCP_PATH) return next();
    context.state.operation = 'mcp';
    refuseRebinding(context.req, config);
    if (context.method !== 'POST') throw new EdgeError(405, WRONG_METHOD, { allow: 'OPTIONS, POST' });
    const token = callerToken(context.req.headers, new URLSearchParams(context.querystring));
    if (token === null && !config.allowAnonymous) throw new UnauthenticatedError(MISSING_TOKEN);
    context.state.caller =
      token === null ? 'anonymous' : createHash('sha256').update(token).digest('hex').slice(0, NAME_DIGITS);
    await exchange(context, await readMessages(context.req), bridge, clientFor(token, context));
  };
}

/** Resolves when the answer has left, or its client has. What a client that has gone was waiting for is aborted: nobody could fetch it later. */
async function exchange(context: EdgeContext, messages: unknown, bridge: Bridge, client: Client): Promise<void> {
  const { req, res, state } = context;
  const { server } = bridge.connect(client);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: !wantsProgress(messages),
  });
  await server.connect(transport);
  const gone = new Promise<void>((resolve) => {
    if (state.signal.aborted) resolve();
    else state.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  context.respond = false; // the transport writes the answer
  try {
    await Promise.race([transport.handleRequest(req, res, messages), gone]);
    await gone;
  } catch (error) {
    context.respond = !res.headersSent;
    throw error;
  } finally {
    await server.close();
  }
}
