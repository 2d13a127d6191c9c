/** Runs a command of an operator: arguments, known failures, exit code. */
import { homedir } from 'node:os';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ArchiveError } from '../../shared/integrity/backup-format/archive-error.js';
import { createResources, type Resources } from '../../shared/kernel/concurrency/resources.js';
import { ConfigurationError, type Environment } from '../../shared/kernel/config/config.js';
import { readEnvironment } from '../../shared/kernel/config/environment.js';
import { messageOf, PalimpsestError } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { createLogger } from '../../shared/kernel/pino-logger.js';

type Flags = NonNullable<ParseArgsConfig['options']>;

type Command<F extends Flags> = {
  /** Printed after the reason when the arguments are wrong. */
  readonly usage: string;
  /** What the one positional argument is, such as `file`. Absent: the command has none. */
  readonly argument?: string;
  readonly flags: F;
  /** Resolves with the exit code. Throws UsageError for wrong arguments. */
  readonly run: (flags: ReturnType<typeof parseArgs<{ options: F }>>['values'], argument: string) => Promise<number>;
  /** The exit code of wrong arguments and of known failures. */
  readonly failureCode?: number;
  /** The text of a known failure. */
  readonly explain?: (failure: unknown) => string;
};

/** Resolves with the exit code. Rejects with an error that is a bug. */
export async function runCommand<const F extends Flags>(command: Command<F>): Promise<number> {
  const { usage, run, failureCode = 1, explain = messageOf } = command;
  try {
    return await run(...readArguments(command));
  } catch (error) {
    if (error instanceof UsageError) console.error(error.message === '' ? usage : `${error.message}\n\n${usage}`);
    else if (isExpected(error)) console.error(explain(error));
    else throw error;
    return failureCode;
  }
}

function readArguments<const F extends Flags>({ argument, flags: options }: Command<F>) {
  const read = () => parseArgs({ options, allowPositionals: argument !== undefined });
  let line: ReturnType<typeof read>;
  try {
    line = read();
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
  const [first, ...more] = line.positionals;
  if (argument !== undefined && (first === undefined || more.length > 0)) throw new UsageError(`Name one ${argument}.`);
  return [line.values, first ?? ''] as const;
}

/** The reason why the arguments are wrong. Blank: the usage explains it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command cannot continue; the message says why. */
export class CommandError extends PalimpsestError {
  readonly code = 'command';
  readonly isRetryable = false;
}

/** A wrong archive, variable or store, or a file that the system refuses. */
function isExpected(error: unknown): boolean {
  const isKnown = [ArchiveError, ConfigurationError, PalimpsestError].some((known) => error instanceof known);
  return isKnown || (error instanceof Error && 'syscall' in error);
}

/** What a command needs to open stores. */
export type StoreContext = {
  readonly environment: Environment;
  readonly logger: Logger;
  readonly resources: Resources;
  /** Aborted by SIGTERM or SIGINT. */
  readonly signal: AbortSignal;
};

/** Closes what `use` opened, also after a failure or a signal. `advice`: what to do after a stop by a signal. */
export async function withStores<T>(
  variables: NodeJS.ProcessEnv,
  use: (context: StoreContext) => Promise<T>,
  advice?: string,
): Promise<T> {
  const signal = stopOnSignal(advice);
  const resources = createResources();
  try {
    const environment = readEnvironment({ process: variables, folder: process.cwd(), home: homedir() });
    const logger = createLogger({ level: 'warn', stream: process.stderr });
    return await use({ environment, logger, resources, signal });
  } finally {
    await resources.close();
  }
}

/** Aborted by SIGTERM or SIGINT, with a CommandError. A second signal ends the process at once. */
export function stopOnSignal(advice?: string): AbortSignal {
  const stopped = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const)
    process.once(name, () =>
      stopped.abort(new CommandError(`Stopped by ${name} before the end${advice === undefined ? '' : `: ${advice}`}`)),
    );
  return stopped.signal;
}
