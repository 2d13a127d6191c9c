/** MCP over stdin and stdout: one client, which started this process and ends it by closing stdin. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Client } from '../../../shared/client/client.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { Running } from '../../../shared/kernel/process.js';
import { withinDeadline } from '../../../shared/kernel/within-deadline.js';
import type { Bridge } from '../create-bridge.js';
import { untilLeft, type StdioHost } from './until-left.js';

/**
 * So long may calls take that are under way when the client leaves: a request that was piped in gets its answer, and one that is about to
 * change several things is not left half done. Clients kill the process after two seconds.
 */
const PARTING_MS = 1_000;

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
  const ended = Promise.race([untilLeft(host, parentWatchMs), closed]);
  await server.connect(new StdioServerTransport(host.stdin, host.stdout));
  return {
    logger,
    ended,
    stopDeadlineMs: 2 * PARTING_MS,
    stop: async () => {
      await withinDeadline(settled(), { milliseconds: PARTING_MS, name: 'A call under way' }).catch((error: unknown) =>
        logger.warn({ error }, 'a call was cut off'),
      );
      await nextTurn(); // what has just settled is being written
      await server.close(); // aborts what is still under way
    },
  };
}
