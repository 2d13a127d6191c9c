/** Opens the port. Closing finishes the running requests, and cuts the other connections at the deadline. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { QUERY_STRING_LIMIT_BYTES } from '../contract/limits.js';
import type { Problem } from '../contract/reply-parts.js';
import { ConfigurationError } from '../kernel/config/config.js';
import { LOOPBACK } from './loopback.js';

/** Above the limit of a query string, which we and not the parser then reject, and of the other headers. */
const HEADER_LIMIT_BYTES = 4 * QUERY_STRING_LIMIT_BYTES;
const HEADERS_TIMEOUT_MS = 20_000;
/**
 * Connections that wait to be accepted, up to what the system allows. With the 511 of Node a burst of one caller lost
 * the first packets of others, which send them again after a second.
 */
const BACKLOG = 4_096;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/**
 * Of a body, before the socket is read no further. One read is 64 KB, which the parser takes apart in one turn: 10,900
 * chunks of one byte take it 25 ms. With the 16 KB of Node 20 a second read followed; Node 22 buffers 64 KB.
 */
const BUFFERED_BYTES = 4_096;
/** How long a request may take to arrive. */
const REQUEST_TIMEOUT_MS = 120_000;

export type ListenOptions = {
  /** 0 takes any free port. */
  readonly port: number;
  /** Without a host: every address, IPv4 and IPv6. `localhost`: 127.0.0.1 and ::1. */
  readonly host?: string | undefined;
  /** The variable of the port, for the message when it cannot be opened. Default: PORT. */
  readonly portVariable?: string;
};

export type Listening = {
  readonly port: number;
  /** Resolves when no connection is left; connections that are open at the deadline are cut. */
  readonly close: (deadlineMs: number) => Promise<void>;
};

export type Listener = {
  callback(): RequestListener;
  /** Called before the server closes, so that responses without an end of their own can end. */
  beginStop?(): void;
  /** True: the app answers `Expect: 100-continue` after its checks. Otherwise the server answers it at once. */
  readonly sendsContinue?: boolean;
  /** Called with each new connection. */
  onConnection?(): void;
};

export async function listen(app: Listener, { port, host, portVariable = 'PORT' }: ListenOptions): Promise<Listening> {
  const answer = oneAtATime(app.callback());
  const open = async (at: number, hosts: readonly string[]): Promise<Server> => {
    const server = httpServer(answer);
    if (app.sendsContinue === true) server.on('checkContinue', answer);
    if (app.onConnection !== undefined) server.on('connection', app.onConnection.bind(app));
    closeConnectionsAfterResponse(server);
    await bind(server, { port: at, portVariable }, hosts);
    return server;
  };
  const server = await open(port, hostsOf(host));
  // The address of a server on a port is always an AddressInfo.
  const { port: bound, address } = server.address() as AddressInfo;
  const servers = [server];
  try {
    if (host === LOOPBACK && address !== IPV6_LOOPBACK) servers.push(await open(bound, [IPV6_LOOPBACK]));
  } catch (error) {
    if (!isAbsentAddress(error)) {
      await closeAll(servers, app, 0);
      throw error;
    }
  }
  return { port: bound, close: (deadlineMs) => closeAll(servers, app, deadlineMs) };
}

/** When so many requests of one connection wait, it is read no further until one begins. */
const WAITING_LIMIT = 16;

/**
 * Node begins all requests that a client sends before it reads an answer. Here the next one of a connection begins
 * after the answer before it, so that one connection has one request at work.
 */
function oneAtATime(answer: RequestListener): RequestListener {
  /** The requests that wait, of each connection with a request at work. */
  const waiting = new WeakMap<Socket, (() => void)[]>();
  const held = new WeakSet<Socket>();

  function begin(request: IncomingMessage, response: ServerResponse): void {
    response.once('close', () => endOne(request.socket));
    void answer(request, response);
  }

  function endOne(socket: Socket): void {
    const next = socket.destroyed ? undefined : waiting.get(socket)?.shift();
    if (next === undefined) waiting.delete(socket);
    else next();
    if (held.delete(socket)) socket.resume();
  }

  return (request, response) => {
    const { socket } = request;
    const others = waiting.get(socket);
    if (others === undefined) {
      waiting.set(socket, []);
      begin(request, response);
      return;
    }
    others.push(() => begin(request, response));
    if (others.length < WAITING_LIMIT) return;
    held.add(socket);
    socket.pause();
  };
}

const IPV6_LOOPBACK = '::1';

function hostsOf(host: string | undefined): readonly string[] {
  if (host === undefined) return ['::', '0.0.0.0'];
  return host === LOOPBACK ? ['127.0.0.1', IPV6_LOOPBACK] : [host];
}

function httpServer(answer: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: HEADER_LIMIT_BYTES,
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      highWaterMark: BUFFERED_BYTES,
    },
    answer,
  );
  server.on('clientError', answerParserError);
  return server;
}

/** Binds to the first host that the machine has; a machine without IPv6 has no `::`. */
async function bind(
  server: Server,
  at: { readonly port: number; readonly portVariable: string },
  [host = '::', ...others]: readonly string[],
): Promise<void> {
  const { port, portVariable } = at;
  try {
    server.listen({ port, host, backlog: BACKLOG });
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (others.length > 0 && isAbsentAddress(error)) return bind(server, at, others);
    if (code === 'EADDRINUSE')
      throw new ConfigurationError([
        `${portVariable} ${port} is in use by another process: stop it, or set ${portVariable} to a free one`,
      ]);
    if (code === 'EACCES')
      throw new ConfigurationError([
        `This user must not open ${portVariable} ${port}: set ${portVariable} to a number above 1023`,
      ]);
    throw error;
  }
}

/** The machine does not have the address, for example without IPv6. */
function isAbsentAddress(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(String(error.code));
}

async function closeAll(servers: readonly Server[], app: Listener, deadlineMs: number): Promise<void> {
  app.beginStop?.();
  await Promise.all(servers.map((server) => close(server, deadlineMs)));
}

async function close(server: Server, deadlineMs: number): Promise<void> {
  const force = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(force);
}

/** Node's close() ends idle connections alone: one with a running request would stay open after it. */
function closeConnectionsAfterResponse(server: Server): void {
  const closeAfter = (_: unknown, response: ServerResponse): void => {
    response.once('close', () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
  };
  server.on('request', closeAfter);
  if (server.listenerCount('checkContinue') > 0) server.on('checkContinue', closeAfter);
}

/** Node's parser rejects some bytes before a request exists. The answer has the same body as every other problem. */
function answerParserError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy(error);
    return;
  }
  const { code, message } = PARSER_PROBLEMS[error.code ?? ''] ?? UNREADABLE;
  const problem: Problem = { status: 'error', code, message, error: message };
  const body = JSON.stringify(problem);
  const lines = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end([...lines, '', body].join('\r\n'));
}

type ParserProblem = { readonly code: number; readonly message: string };

/** By the error code of Node's parser. */
const PARSER_PROBLEMS: Readonly<Record<string, ParserProblem>> = {
  HPE_HEADER_OVERFLOW: { code: 431, message: 'The URL and the headers are too long together: send less in them' },
  HPE_INVALID_EOF_STATE: {
    code: 408,
    message: 'The connection ended before the whole request had arrived: send it again',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 408, message: 'The request took too long to arrive: send it again' },
};
const UNREADABLE: ParserProblem = { code: 400, message: 'This is no HTTP request that can be read' };
