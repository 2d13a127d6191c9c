/** The commands of `npm run local`. */
import { addressesOf, exportLines, serviceVariables, testVariables } from './addresses.js';
import { LaunchError } from './launch-error.js';
import { lastLines } from './log-file.js';
import type { Program } from './programs/program.js';
import { type ForegroundDeps, runForeground } from './run-foreground.js';
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

/**
 * Finds the programs that a command line names, by name or by group. In the order of `programs`, each once. Throws a
 * LaunchError that lists the known names when a name is unknown.
 */
export function choosePrograms(programs: readonly Program[], names: readonly string[]): readonly Program[] {
  const known = [...programs.map(({ name }) => name), ...Object.keys(GROUPS)];
  const unknownName = names.find((name) => !known.includes(name));
  if (unknownName !== undefined) throw new LaunchError(`Unknown program "${unknownName}": use ${known.join(', ')}`);
  return programs.filter(({ name, kind }) =>
    names.some((wanted) => wanted === name || GROUPS[wanted]?.includes(kind) === true),
  );
}
