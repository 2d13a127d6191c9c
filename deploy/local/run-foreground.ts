/** `npm run start:distributed`: everything on this machine, for as long as this runs. */
import { addressesOf } from './addresses.js';
import type { LocalConfig } from './config.js';
import type { Local } from './create-local.js';

/** What is used of Node's `process`. */
export interface ForegroundHost {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): void;
  readonly stdout: { write(text: string): unknown };
}

export type ForegroundDeps = {
  readonly local: Local;
  readonly config: LocalConfig;
  readonly host: ForegroundHost;
  /** The same that `local` listens to. */
  readonly told: AbortController;
};

const EXIT_FORCED = 130;

/** Resolves when it was told to end and what it started is stopped again, data kept; so it is after a start that failed. What ran before runs on. */
export async function runForeground({
  local: { programs, stack, folders },
  config,
  host,
  told,
}: ForegroundDeps): Promise<void> {
  const end = untilTold(host, told);
  const before = await stack.status(programs);
  const own = programs.filter((_, index) => before[index]?.state === 'stopped');
  // The programs are in sessions of their own, so nothing but this keeps the process alive.
  const alive = setInterval(() => undefined, 2 ** 31 - 1);
  try {
    await stack.up(programs);
    host.stdout.write(greeting(addressesOf(config).gateway, folders.root));
    await end;
  } catch (error) {
    if (!told.signal.aborted) throw error;
  } finally {
    clearInterval(alive);
    await stack.down(own);
  }
}

/** Resolves at the first signal, and aborts `told`; at the second the process ends at once, and leaves running what runs. */
function untilTold(host: ForegroundHost, told: AbortController): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      host.on(signal, () => {
        if (told.signal.aborted) host.exit(EXIT_FORCED);
        told.abort();
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
