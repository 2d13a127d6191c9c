/** The commands of `npm run local`. */
import { addressesOf, exportLines, serviceVariables, testVariables } from './addresses.js';
import type { LocalConfig } from './config.js';
import { lastLines } from './folders.js';
import type { Local } from './local.js';
import { LaunchError, type Program } from './programs/program.js';
import type { ProgramStatus } from './stack.js';

const USAGE = `Usage: npm run local -- COMMAND [NAME ...]

  up [NAME ...]       install missing programs, start, wait until healthy; without names all programs
  foreground          up, and down again on Ctrl-C: npm run start:distributed
  down [NAME ...]     stop in order; data is kept
  status [NAME ...]   state and port of each program; exit code 1 unless all are healthy
  start NAME ...      start programs that were stopped or killed
  kill NAME ...       SIGKILL, as when a machine loses its power
  pause NAME ...      SIGSTOP: the program accepts connections and never answers
  resume NAME ...     SIGCONT
  reset [NAME ...]    stop, and delete the data
  logs NAME ...       the last lines of the log
  env [--test]        lines to evaluate: the addresses as variables of our processes, or of the tests

"servers" names all servers, "service" our processes and the gateway. The README lists the variables.
`;

const LOG_LINES = 50;

/** Resolves with the exit code. */
export async function runCommandLine(
  [command = 'help', ...rest]: readonly string[],
  deps: ForegroundDeps,
): Promise<number> {
  const {
    config,
    host,
    local: { programs, stack, folders },
  } = deps;
  const print = (text: string): void => void host.stdout.write(text);
  const named = (): readonly Program[] => {
    if (rest.length === 0) throw new LaunchError(`"${command}" needs a name: npm run local -- ${command} NAME`);
    return choosePrograms(programs, rest);
  };
  const namedOrAll = (): readonly Program[] => (rest.length === 0 ? programs : choosePrograms(programs, rest));

  switch (command) {
    case 'up':
      await stack.up(namedOrAll());
      return 0;
    case 'start':
      await stack.start(named());
      return 0;
    case 'foreground':
      await runForeground(deps);
      return 0;
    case 'down':
    case 'kill':
    case 'pause':
    case 'resume':
    case 'reset':
      await stack[command](command === 'down' || command === 'reset' ? namedOrAll() : named());
      return 0;
    case 'status': {
      const all = await stack.status(namedOrAll());
      print(all.map(statusLine).join(''));
      return all.every(({ state }) => state === 'healthy') ? 0 : 1;
    }
    case 'logs':
      for (const { name } of named()) print(`${await lastLines(folders.log(name), LOG_LINES)}\n`);
      return 0;
    case 'env': {
      const addresses = addressesOf(config);
      print(
        exportLines(
          rest.includes('--test')
            ? testVariables(addresses)
            : { ...serviceVariables(addresses), PALIMPSEST_URL: addresses.gateway },
        ),
      );
      return 0;
    }
    case 'help':
    case '--help':
      print(USAGE);
      return 0;
    default:
      throw new LaunchError(`Unknown command "${command}"\n\n${USAGE}`);
  }
}

function statusLine({ name, state, port, pid }: ProgramStatus): string {
  return `${[name.padEnd(16), state.padEnd(10), `port ${port}`.padEnd(11), pid === null ? '' : `pid ${pid}`].join(' ').trimEnd()}\n`;
}

const GROUPS: Readonly<Record<string, readonly Program['kind'][]>> = {
  servers: ['server'],
  service: ['process', 'gateway'],
};

/** By name or by group, in the order of `programs`. Throws a LaunchError that lists the known names. */
export function choosePrograms(programs: readonly Program[], names: readonly string[]): readonly Program[] {
  const known = [...programs.map(({ name }) => name), ...Object.keys(GROUPS)];
  const unknownName = names.find((name) => !known.includes(name));
  if (unknownName !== undefined) throw new LaunchError(`Unknown program "${unknownName}": use ${known.join(', ')}`);
  return programs.filter(({ name, kind }) =>
    names.some((wanted) => wanted === name || GROUPS[wanted]?.includes(kind) === true),
  );
}

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

/** Resolves after a signal, when all programs that it started are stopped. Others continue to run. */
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

/** The first signal aborts `shutdown`; the second ends this process, and running programs keep running. */
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
