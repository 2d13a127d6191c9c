/** Serves MCP over stdio for one client: the program that started this process, and ends it by closing stdin. */
import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Client } from '../../../shared/client/client.js';
import { withinDeadline } from '../../../shared/kernel/concurrency/within-deadline.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { Running } from '../../../shared/kernel/process.js';
import type { Bridge } from '../bridge.js';

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
  await server.connect(new StdioServerTransport(host.stdin, host.stdout));
  return {
    logger,
    ended,
    stopDeadlineMs: 2 * SHUTDOWN_GRACE_MS,
    stop: async () => {
      await withinDeadline(settled(), { milliseconds: SHUTDOWN_GRACE_MS, name: 'A running call' }).catch(
        (error: unknown) => logger.warn({ err: error }, 'running call aborted at shutdown'),
      );
      await nextTurn(); // lets the transport write the answers of calls that have just settled
      await server.close(); // aborts calls that still run
    },
  };
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
