/** Serves MCP over stdio for one client: the program that started this process, and ends it by closing stdin. */
import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Client } from '../../../shared/client/client.js';
import { withinDeadline } from '../../../shared/kernel/concurrency/within-deadline.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { Running } from '../../../shared/kernel/process.js';
import type { Bridge } from '../bridge.js';
import { isOf2026 } from '../revision.js';
import type { Servers2026 } from '../servers-2026.js';

/** After stdin is closed: running calls complete. Clients kill the process after two seconds. */
const SHUTDOWN_GRACE_MS = 1_000;

export async function serveStdio({
  bridge,
  client,
  host,
  parentWatchMs,
  logger,
}: {
  readonly bridge: Bridge;
  readonly client: Client;
  readonly host: StdioHost;
  readonly parentWatchMs: number;
  readonly logger: Logger;
}): Promise<Running> {
  const { server, settled } = bridge.connect(client);
  const closed = new Promise<string>((resolve) => {
    server.onclose = () => resolve('the connection is closed');
  });
  const ended = Promise.race([waitForHostExit(host, parentWatchMs), closed]);
  const transport = new StdioServerTransport(host.stdin, host.stdout);
  await server.connect(transport);
  const newer = handOver(transport, () => bridge.connect2026(client));
  return {
    logger,
    ended,
    stopDeadlineMs: 2 * SHUTDOWN_GRACE_MS,
    stop: async () => {
      const running = Promise.all([settled(), newer.settled()]);
      await withinDeadline(running, { milliseconds: SHUTDOWN_GRACE_MS, name: 'A running call' }).catch(
        (error: unknown) => logger.warn({ err: error }, 'running call aborted at shutdown'),
      );
      await nextTurn(); // lets the transport write the answers of calls that have just settled
      await newer.close(); // aborts calls that still run
      await server.close();
    },
  };
}

/**
 * Hands the connection over to a server of revision 2026-07-28 with the first message of it. The other server then
 * receives no more messages.
 */
function handOver(
  wire: StdioServerTransport,
  connect: () => Promise<Servers2026>,
): { readonly settled: () => Promise<void>; readonly close: () => Promise<void> } {
  const older = wire.onmessage;
  let newer: ReturnType<typeof open> | undefined;
  wire.onmessage = (message) => {
    if (newer === undefined && !isOf2026(message)) return older?.(message);
    newer ??= open();
    void newer.then(({ channel }) => channel.onmessage?.(message));
  };
  return {
    settled: async () => (await newer)?.servers.settled(),
    close: async () => (await newer)?.connection.close(),
  };

  async function open() {
    const servers = await connect();
    const channel: Parameters<Servers2026['serve']>[0] = {
      start: async () => undefined,
      send: (message) => wire.send(message),
      close: () => wire.close(),
    };
    return { servers, channel, connection: servers.serve(channel) };
  }
}

/** The part of Node's `process` that stdio needs. */
interface StdioHost {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly ppid: number;
  on(event: 'SIGHUP', listener: () => void): unknown;
}

/** Every way in which the client can leave: an orphaned process would wait for stdin forever. */
function waitForHostExit(host: StdioHost, parentWatchMs: number): Promise<string> {
  return new Promise((resolve) => {
    const parent = host.ppid;
    host.stdin.once('end', () => resolve('stdin has ended'));
    host.stdin.once('close', () => resolve('stdin is closed'));
    host.stdin.on('error', () => resolve('stdin is broken'));
    host.stdout.on('error', () => resolve('stdout has no reader'));
    host.stderr.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE') resolve('stderr has no reader'); // a full disk loses lines, but not the client
    });
    host.on('SIGHUP', () => resolve('SIGHUP'));
    // Some programs die while their end of stdin stays open, because another child inherited it.
    setInterval(() => {
      if (host.ppid !== parent) resolve('the parent process has ended');
    }, parentWatchMs).unref();
  });
}
