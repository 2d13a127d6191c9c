/**
 * Middleware that serves MCP's Streamable HTTP at `/mcp`, without sessions. Each request gets its own MCP server and
 * the token of its caller, so clients share no state and any process behind a load balancer can answer. The price:
 * `notifications/cancelled` arrives as a separate request and cancels nothing. A client cancels a call by closing the
 * connection.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import pLimit from 'p-limit';
import type { Client } from '../../../shared/client/client.js';
import { BODY_LIMITS } from '../../../shared/contract/limits.js';
import { OPERATIONS } from '../../../shared/contract/operations.js';
import { scopeOf } from '../../../shared/contract/scopes.js';
import { createAdmission } from '../../../shared/http/admission.js';
import { type EdgeContext, EdgeError, type EdgeMiddleware } from '../../../shared/http/edge-state.js';
import { hostNameOf, isLoopbackAddress, isLoopbackName, isLoopbackOrigin } from '../../../shared/http/loopback.js';
import { grantedScopes, isJwt, type OidcConfig } from '../../../shared/http/oidc.js';
import { jsonExcess } from '../../../shared/http/request/json-checks.js';
import { BODY_DEPTH_LIMIT } from '../../../shared/http/request/read-body.js';
import { readBytes } from '../../../shared/http/request/read-bytes.js';
import { MCP_PATH } from '../../../shared/http/resource-metadata.js';
import { aborted, withTimeoutSignal } from '../../../shared/kernel/concurrency/abort-signals.js';
import { ForbiddenError, UnauthenticatedError, ValidationError } from '../../../shared/kernel/errors.js';
import { NO_METRICS } from '../../../shared/kernel/metrics/metrics.js';
import type { Bridge } from '../bridge.js';
import type { McpEdgeConfig } from '../bridge-config.js';
import { isOf2026 } from '../revision.js';

const WRONG_METHOD =
  'MCP is posted here: send POST with a message of JSON-RPC. There are no sessions to end and no stream to listen to.';
const CALLER_HASH_DIGITS = 12;

export type McpEdge = {
  readonly bridge: Bridge;
  /** `oidc`: the issuer whose tokens the service accepts too. */
  readonly config: McpEdgeConfig & { readonly oidc: OidcConfig | null };
  /** Creates a client of the service for one request; it sends the token of that request's caller only. */
  readonly clientFor: (token: string | null, context: EdgeContext) => Client;
};

/** Passes requests for other paths to the next middleware. */
export function serveMcp({ bridge, config, clientFor }: McpEdge): EdgeMiddleware {
  void import('../servers-2026.js'); // at the start, because it occupies the thread for 100 ms
  const admit = createAdmission(NO_METRICS); // what its calls ask of the service is admitted there
  return async (context, next) => {
    if (context.path !== MCP_PATH) return next();
    context.state.operation = 'mcp';
    rejectRebinding(context.req, config);
    if (context.method !== 'POST') throw new EdgeError(405, WRONG_METHOD, { allow: 'OPTIONS, POST' });
    const token = callerToken(context.req.headers, new URLSearchParams(context.querystring));
    if (token === null && (!config.allowAnonymous || config.oidc !== null))
      throw new UnauthenticatedError(MISSING_TOKEN);
    context.state.caller =
      token === null ? 'anonymous' : createHash('sha256').update(token).digest('hex').slice(0, CALLER_HASH_DIGITS);
    const client = clientFor(token, context);
    const isIssued = config.oidc !== null && token !== null && isJwt(token);
    const check = async (): Promise<void> => {
      if (token !== null) await rejectWrongToken(client, context.state.signal);
    };
    const isLarge = Number(context.req.headers['content-length'] ?? Infinity) > SMALL_BODY_BYTES;
    if (isLarge) await check();
    const bytes = await readBytes(context.req, { limitBytes: LIMITS.bytes, response: context.res });
    const { signal } = context.state;
    const begin = (units: number) => admit({ caller: token ?? context.req.socket.remoteAddress ?? '', units, signal });
    let end = await begin(MESSAGE_UNITS + (bytes.length * LIMITS.unitsPerMegabyte) / MEGABYTE);
    try {
      const messages = readMessages(bytes);
      if (bytes.length > SMALL_BODY_BYTES && initializes(messages))
        throw new ValidationError(`A message that initializes must have at most ${SMALL_BODY_BYTES} bytes`);
      // A client gets a new token from its issuer when a request of any kind is answered with 401.
      if (!isLarge && (isIssued || Array.isArray(messages) || initializes(messages))) await check();
      if (Array.isArray(messages)) {
        end();
        end = await begin(MESSAGE_UNITS * messages.length);
      }
      const limited = withFewCalls(client);
      const isWatched = isIssued && !Array.isArray(messages);
      const calls = isWatched ? watchRefusals(limited, context, token, config.oidc) : { client: limited };
      await exchange(context, messages, bridge, calls);
    } finally {
      end();
    }
  };
}

/** Resolves when the answer is sent. A disconnect aborts the call: no client can fetch the answer later. */
async function exchange(context: EdgeContext, messages: unknown, bridge: Bridge, calls: Calls): Promise<void> {
  const { req, res, state } = context;
  const is2026 = isOf2026(messages, req.headers['mcp-protocol-version']);
  const { answer, close } = await (is2026 ? open2026 : openWithoutSession)(context, messages, bridge, calls.client);
  const ended = aborted(state.signal);
  context.respond = false; // `answer` writes to the response
  try {
    await Promise.race([answer(), ended, ...(calls.refused ? [calls.refused] : [])]);
    await ended;
  } catch (error) {
    context.respond = !res.headersSent;
    throw error;
  } finally {
    await close();
  }
}

type Opened = { readonly answer: () => Promise<void>; readonly close: () => Promise<void> };

async function openWithoutSession(
  { req, res }: EdgeContext,
  messages: unknown,
  bridge: Bridge,
  client: Client,
): Promise<Opened> {
  const { server } = bridge.connect(client);
  // Without a sessionIdGenerator the transport keeps no session.
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: !wantsProgress(messages) });
  await server.connect(transport);
  return { answer: () => transport.handleRequest(req, res, messages), close: () => server.close() };
}

/** The same for revision 2026-07-28, whose handler reads and returns the messages of the Fetch API. */
async function open2026(
  { req, res, state: { signal } }: EdgeContext,
  messages: unknown,
  bridge: Bridge,
  client: Client,
): Promise<Opened> {
  const servers = await bridge.connect2026(client);
  const headers = new Headers(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
  return {
    answer: async () => {
      const reply = await servers.answer(messages, { headers, signal });
      res.writeHead(reply.status, Object.fromEntries(reply.headers));
      await pipeline(reply.body === null ? [] : Readable.fromWeb(reply.body as ReadableStream), res);
    },
    close: async () => undefined, // `signal` closes it
  };
}

const MISSING_TOKEN = 'Missing API token (use Authorization: Bearer, X-API-Key, or ?api_key=)';

const HEADERS = ['x-api-key', 'x-api-token'];
const PARAMETERS = ['api_key', 'apiKey', 'api_token'];
/** Characters that a header may hold. */
const TOKEN = /^[\x21-\x7e]+$/u;

/**
 * The token in any of the headers and parameters that MCP clients use; null without one. The bridge forwards it, and
 * the service checks it. A Bearer header wins, as it does in the service: when it is empty, the other places are not
 * read.
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

const MEGABYTE = 1024 * 1024;
const LIMITS = BODY_LIMITS.mcp;
/** A larger body is read only for a token that the service accepts. */
const SMALL_BODY_BYTES = 64 * 1024;
const BATCH_LIMIT = 50;
/** Levels of nesting that JSON-RPC and a tool call add around the arguments. */
const ENVELOPE_DEPTH = 4;

/** The work of the bridge itself, in the units of admission: a server of MCP for each request, an answer of 27 KB. */
const MESSAGE_UNITS = 4;

/**
 * Reads the body of a POST: one JSON-RPC message, or a list of messages, which version 2025-03-26 of the protocol
 * allows. Returns parsed JSON. The transport validates it against the schema of JSON-RPC.
 */
function readMessages(bytes: Buffer): unknown {
  const excess = jsonExcess({ ...LIMITS, depth: BODY_DEPTH_LIMIT + ENVELOPE_DEPTH }, bytes);
  if (excess === 'depth')
    throw new ValidationError(`The arguments must not be nested deeper than ${BODY_DEPTH_LIMIT} levels`);
  if (excess !== null) throw new ValidationError(`The arguments must not hold more than ${LIMITS[excess]} ${excess}`);
  try {
    const messages: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (Array.isArray(messages) && messages.length > BATCH_LIMIT)
      throw new ValidationError(`A batch must hold at most ${BATCH_LIMIT} messages (${messages.length} provided)`);
    return messages;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    throw new ValidationError(
      'The body is not JSON: send one message of JSON-RPC, such as {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}',
    );
  }
}

/** Calls of one request that the service has at the same time. */
const CALLS_AT_A_TIME = 4;

function withFewCalls(client: Client): Client {
  const limit = pLimit(CALLS_AT_A_TIME);
  return { call: (name, call) => limit(() => client.call(name, call)) };
}

/** `refused`: rejects when the service refuses a call. */
type Calls = { readonly client: Client; readonly refused?: Promise<never> };

/**
 * A call that the service refuses is answered with the same 401 or 403 of HTTP, so that the client asks its issuer for
 * a new token or for one with another scope, and repeats the request. Once an event stream has begun, the tool reports
 * the refusal.
 */
function watchRefusals(client: Client, { res, state }: EdgeContext, token: string, oidc: OidcConfig): Required<Calls> {
  let refuse!: (error: Error) => void;
  const refused = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  refused.catch(() => undefined); // a call may be refused when the exchange has ended
  const call: Client['call'] = async (name, given) => {
    const answer = await client.call(name, given);
    const isRefused = answer.kind === 'refused' && (answer.status === 401 || answer.status === 403);
    if (!isRefused) return answer;
    const granted = await grantedScopes(token, oidc);
    if (res.headersSent) return answer;
    const scopes = [...granted, scopeOf(OPERATIONS[name])].filter((scope) => scope !== null);
    if (answer.status === 401) refuse(new UnauthenticatedError(answer.message));
    else refuse(new ForbiddenError(answer.message, {}, scopes));
    await aborted(state.signal); // the tool goes on when the refusal was sent
    return answer;
  };
  return { client: { call }, refused };
}

/** Progress needs an event stream. Without it the bridge sends one JSON answer, which is simpler. */
function wantsProgress(messages: unknown): boolean {
  return (Array.isArray(messages) ? messages : [messages]).some(
    (message: { readonly params?: { readonly _meta?: { readonly progressToken?: unknown } } } | null) => {
      return message?.params?._meta?.progressToken !== undefined;
    },
  );
}

/**
 * Protects a bridge on this machine from DNS rebinding. A web page can resolve its own name to 127.0.0.1 and then
 * send requests to local servers as if they were its own. The browser still sends the page's name in the headers Host
 * and Origin, so this check rejects foreign names. Throws ForbiddenError. On an address other than loopback, Host
 * may be any name: there rebinding gives a page no more access than a direct request.
 */
function rejectRebinding({ headers, socket }: IncomingMessage, { allowedOrigins, allowedHosts }: McpEdgeConfig): void {
  const { origin, host = '' } = headers;
  if (
    origin !== undefined &&
    !allowedOrigins.includes('*') &&
    !allowedOrigins.includes(origin) &&
    !isLoopbackOrigin(origin)
  ) {
    throw new ForbiddenError(
      'Pages of this origin may not use MCP here: to allow them, add the origin to MCP_ALLOWED_ORIGINS of the bridge',
    );
  }
  const name = hostNameOf(host);
  if (!isLoopbackAddress(socket.localAddress ?? '') || isLoopbackName(name) || allowedHosts.includes(name)) return;
  throw new ForbiddenError(
    'The Host header is not a name of this machine: use localhost in the address, or add the host to MCP_ALLOWED_HOSTS if a proxy forwards it',
  );
}

/** A service that does not answer in this time does not hold up its caller: the tools report it. */
const CHECK_MS = 2_000;

/**
 * Asks the service about the token of a caller that initializes, sends a batch, or sends a large body. A client shows a
 * 401 of `initialize` to its user, an error of a later tool it may not. Throws UnauthenticatedError for a token that
 * the service refuses.
 */
async function rejectWrongToken(client: Client, signal: AbortSignal): Promise<void> {
  const answer = await withTimeoutSignal(CHECK_MS, [signal], (ended) => client.call('streamStatus', { signal: ended }));
  if (answer.kind === 'refused' && answer.status === 401)
    throw new UnauthenticatedError('The service does not accept this API token: send the token of the service');
}

/** The first request of a client, in the revisions with a handshake and in 2026-07-28. */
const FIRST_METHODS: ReadonlySet<unknown> = new Set(['initialize', 'server/discover']);

function initializes(messages: unknown): boolean {
  return (Array.isArray(messages) ? messages : [messages]).some((message: { readonly method?: unknown } | null) =>
    FIRST_METHODS.has(message?.method),
  );
}
