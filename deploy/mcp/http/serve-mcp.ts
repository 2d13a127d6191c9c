/**
 * Middleware that serves MCP's Streamable HTTP at `/mcp`, without sessions. Each request gets its own MCP server and the token of its
 * caller, so clients share no state and any process behind a load balancer can answer. The price: `notifications/cancelled` arrives as a
 * separate request and cancels nothing. A client cancels a call by closing the connection.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Client } from '../../../shared/client/client.js';
import { EdgeError } from '../../../shared/http/edge-error.js';
import type { EdgeContext, EdgeMiddleware } from '../../../shared/http/edge-state.js';
import { aborted } from '../../../shared/kernel/concurrency/abort-signals.js';
import { UnauthenticatedError } from '../../../shared/kernel/errors.js';
import type { Bridge } from '../bridge.js';
import type { McpEdgeConfig } from '../bridge-config.js';
import { readMessages, wantsProgress } from './read-messages.js';
import { rejectRebinding } from './reject-rebinding.js';
import { rejectWrongToken } from './reject-wrong-token.js';

export const MCP_PATH = '/mcp';
const WRONG_METHOD =
  'MCP is posted here: send POST with a message of JSON-RPC. There are no sessions to end and no stream to listen to.';
const CALLER_HASH_DIGITS = 12;

export type McpEdge = {
  readonly bridge: Bridge;
  readonly config: McpEdgeConfig;
  /** Creates a client of the service for one request; it sends the token of that request's caller only. */
  readonly clientFor: (token: string | null, context: EdgeContext) => Client;
};

/** Passes requests for other paths to the next middleware. */
export function serveMcp({ bridge, config, clientFor }: McpEdge): EdgeMiddleware {
  return async (context, next) => {
    if (context.path !== MCP_PATH) return next();
    context.state.operation = 'mcp';
    rejectRebinding(context.req, config);
    if (context.method !== 'POST') throw new EdgeError(405, WRONG_METHOD, { allow: 'OPTIONS, POST' });
    const token = callerToken(context.req.headers, new URLSearchParams(context.querystring));
    if (token === null && !config.allowAnonymous) throw new UnauthenticatedError(MISSING_TOKEN);
    context.state.caller =
      token === null ? 'anonymous' : createHash('sha256').update(token).digest('hex').slice(0, CALLER_HASH_DIGITS);
    const client = clientFor(token, context);
    const messages = await readMessages(context.req, context.res);
    if (token !== null) await rejectWrongToken(messages, client, context.state.signal);
    await exchange(context, messages, bridge, client);
  };
}

/** Resolves when the answer is sent or the client has disconnected. A disconnect aborts the call: without sessions no client can fetch the answer later. */
async function exchange(context: EdgeContext, messages: unknown, bridge: Bridge, client: Client): Promise<void> {
  const { req, res, state } = context;
  const { server } = bridge.connect(client);
  // Without a sessionIdGenerator the transport keeps no session.
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: !wantsProgress(messages) });
  await server.connect(transport);
  const ended = aborted(state.signal);
  context.respond = false; // the transport writes the answer
  try {
    await Promise.race([transport.handleRequest(req, res, messages), ended]);
    await ended;
  } catch (error) {
    context.respond = !res.headersSent;
    throw error;
  } finally {
    await server.close();
  }
}

const MISSING_TOKEN = 'Missing API token (use Authorization: Bearer, X-API-Key, or ?api_key=)';

const HEADERS = ['x-api-key', 'x-api-token'];
const PARAMETERS = ['api_key', 'apiKey', 'api_token'];
/** Characters that a header may hold. */
const TOKEN = /^[\x21-\x7e]+$/u;

/**
 * The token in any of the headers and parameters that MCP clients use; null without one. The bridge forwards it, and the service judges it.
 * A Bearer header wins, as it does in the service: when it is empty, the other places are not read.
 */
function callerToken(headers: IncomingHttpHeaders, query: URLSearchParams): string | null {
  const bearer = /^\s*bearer(?:\s(?<token>.*))?$/iu.exec(headers.authorization ?? '');
  const others = [...HEADERS.map((name) => headers[name]), ...PARAMETERS.map((name) => query.get(name))];
  const given = bearer ? [bearer.groups?.['token']] : others.map((value) => (Array.isArray(value) ? value[0] : value));
  const [token = null] = given.map((text) => text?.trim() ?? '').filter((text) => text !== '');
  if (token !== null && !TOKEN.test(token))
    throw new UnauthenticatedError('The API token has characters that no token has: send it as it was given to you');
  return token;
}
