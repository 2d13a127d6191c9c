/** Runs a command of an operator that opens stores: answers wrong arguments with the usage, a known error with its message, and closes what it opened. */
import { ArchiveError } from '../../shared/integrity/backup-format/archive-error.js';
import { createResources, type Resources } from '../../shared/kernel/concurrency/resources.js';
import { ConfigurationError, type Environment } from '../../shared/kernel/config/config.js';
import { messageOf, PalimpsestError } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { createLogger } from '../../shared/kernel/pino-logger.js';

export type CommandContext = {
  readonly environment: Environment;
  readonly logger: Logger;
  readonly resources: Resources;
};

/** Resolves with the exit code: 0, or 1 after a message. Rejects with an error that is a bug. */
export async function runCommand<Options extends object>({
  usage,
  readArguments,
  readVariables,
  run,
}: {
  readonly usage: string;
  /** A text result is the reason why the arguments are wrong. It may throw. */
  readonly readArguments: () => Options | string;
  readonly readVariables: () => Environment;
  /** Resolves with the lines to print. */
  readonly run: (options: Options, context: CommandContext) => Promise<readonly string[]>;
}): Promise<0 | 1> {
  const options = readOptions(readArguments);
  if (typeof options === 'string') {
    console.error(`${options}\n\n${usage}`);
    return 1;
  }
  const resources = createResources();
  try {
    const logger = createLogger({ level: 'warn', stream: process.stderr });
    const lines = await run(options, { environment: readVariables(), logger, resources });
    console.log(lines.join('\n'));
    return 0;
  } catch (error) {
    if (!isExpected(error)) throw error;
    console.error(messageOf(error));
    return 1;
  } finally {
    await resources.close();
  }
}

function readOptions<Options>(readArguments: () => Options | string): Options | string {
  try {
    return readArguments();
  } catch (error) {
    return messageOf(error);
  }
}

/** A wrong archive, variable or store, or a file that the system refuses. */
function isExpected(error: unknown): boolean {
  const isKnown = [ArchiveError, ConfigurationError, PalimpsestError].some((known) => error instanceof known);
  return isKnown || (error instanceof Error && 'syscall' in error);
}
