/** Opens the port and closes it in order: accept no more, finish what is being answered, then cut off what is left. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QUERY_STRING_LIMIT_BYTES } from '../contract/limits.js';
import { ConfigurationError } from '../kernel/config.js';
import { answerParserError } from './answer-parser-error.js';

/** Room for a query string well above its limit, so that we and not the parser refuse it, and for the other headers. */
const HEADER_LIMIT_BYTES = 4 * QUERY_STRING_LIMIT_BYTES;
const HEADERS_TIMEOUT_MS = 20_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const DEFAULT_REQUEST_TIMEOUT_MS = 120_000;

export type ListenOptions = {
  /** 0 takes any that is free. */
  readonly port: number;
  /** Without one every address of both families. */
  readonly host?: string;
  /** How long a request may take to arrive. */
  readonly requestTimeoutMs?: number;
};

export type Listening = {
  readonly port: number;
  /** Resolves when no connection is left; after the deadline they are cut off. */
  readonly close: (deadlineMs: number) => Promise<void>;
};

export type Listener = {
  callback(): RequestListener;
  /** Called before anything is closed, for answers that have no end of their own. */
  beginStop?(): void;
};

export async function listen(
  app: Listener,
  { port, host, requestTimeoutMs = DEFAULT_REQUEST_TIMEOUT_MS }: ListenOptions,
): Promise<Listening> {
  const server = createServer(
    {
      maxHeaderSize: HEADER_LIMIT_BYTES,
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    },
    app.callback(),
  );
  server.on('clientError', answerParserError);
  endConnectionsWithTheirAnswer(server);
  await bind(server, port, host === undefined ? ['::', '0.0.0.0'] : [host]);
  // A server that listens on a port has an address of this kind.
  return { port: (server.address() as AddressInfo).port, close: (deadlineMs) => close(server, app, deadlineMs) };
}

/** The first host that the machine has; a machine without IPv6 has no `::`. */
async function bind(server: Server, port: number, [host = '::', ...others]: readonly string[]): Promise<void> {
  try {
    await bindTo(server, port, host);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (others.length > 0 && (code === 'EAFNOSUPPORT' || code === 'EADDRNOTAVAIL')) return bind(server, port, others);
    if (code === 'EADDRINUSE')
      throw new ConfigurationError([`PORT ${port} is in use by another process: stop it, or set PORT to a free one`]);
    if (code === 'EACCES')
      throw new ConfigurationError([`PORT ${port} may not be opened by this user: set PORT to one above 1023`]);
    throw error;
  }
}

function bindTo(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function close(server: Server, app: Listener, deadlineMs: number): Promise<void> {
  app.beginStop?.();
  const force = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(force);
}

/** Node's close() ends the connections that idle at that moment; one that is answering would be kept alive after its answer. */
function endConnectionsWithTheirAnswer(server: Server): void {
  server.on('request', (_, response) => {
    response.once('close', () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
  });
}
