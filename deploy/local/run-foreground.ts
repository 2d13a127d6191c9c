/** `npm run start:distributed`: runs all programs on this machine until this process ends. */
import { addressesOf } from './addresses.js';
import type { LocalConfig } from './config.js';
import type { Local } from './local.js';

/** The part of Node's `process` that is used here. */
export interface ForegroundHost {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): void;
  readonly stdout: { write(text: string): unknown };
}

export type ForegroundDeps = {
  readonly local: Local;
  readonly config: LocalConfig;
  readonly host: ForegroundHost;
  /** `local` uses the signal of the same controller. */
  readonly shutdown: AbortController;
};

const EXIT_FORCED = 130;

/**
 * Resolves after a shutdown signal, when all programs that it started are stopped again. It stops them after a failed
 * start too. Data is kept, and programs that were already running continue to run.
 */
export async function runForeground({
  local: { programs, stack, folders },
  config,
  host,
  shutdown,
}: ForegroundDeps): Promise<void> {
  const shutdownRequested = waitForShutdown(host, shutdown);
  const before = await stack.status(programs);
  const own = programs.filter((_, index) => before[index]?.state === 'stopped');
  // The programs run in sessions of their own, so only this timer keeps the process alive.
  const alive = setInterval(() => undefined, 2 ** 31 - 1);
  try {
    await stack.up(programs);
    host.stdout.write(greeting(addressesOf(config).gateway, folders.root));
    await shutdownRequested;
  } catch (error) {
    if (!shutdown.signal.aborted) throw error;
  } finally {
    clearInterval(alive);
    await stack.down(own);
  }
}

/**
 * At the first signal it aborts `shutdown` and resolves. At the second signal the process ends immediately, and running
 * programs keep running.
 */
function waitForShutdown(host: ForegroundHost, shutdown: AbortController): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      host.on(signal, () => {
        if (shutdown.signal.aborted) host.exit(EXIT_FORCED);
        shutdown.abort();
        resolve();
      });
    }
  });
}

function greeting(url: string, folder: string): string {
  return [
    `Palimpsest listens on ${url}: command API, relay, projectors and query API over Postgres, Neo4j, Kafka and Qdrant, whose data is in ${folder}`,
    'Try:',
    `  curl -s ${url}/memory -H 'Content-Type: application/json' -d '{"content": "The kitten only eats tuna"}'`,
    `  curl -s '${url}/recall?query=feeding+a+young+cat'`,
    `  curl -s ${url}/health`,
    'Ctrl-C stops it and keeps the data. In another shell: npm run local -- status',
    '',
  ].join('\n');
}
