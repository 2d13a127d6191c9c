/** What commands share: what they read and print to, their known failures, and the stores that they open. */
import type { styleText } from 'node:util';
import { type Command, InvalidArgumentError } from 'commander';
import { BODY_LIMITS } from '../../shared/contract/limits.js';
import { ArchiveError } from '../../shared/integrity/backup-format/archive-error.js';
import { createResources, type Resources } from '../../shared/kernel/concurrency/resources.js';
import {
  ConfigurationError,
  type Environment,
  readVariables,
  type Variable,
} from '../../shared/kernel/config/config.js';
import { warnOfMisspelt } from '../../shared/kernel/config/misspelt-variables.js';
import { PalimpsestError } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { parseMemoryId } from '../../shared/kernel/memory-id.js';
import { createLogger } from '../../shared/kernel/pino-logger.js';
import { tenantEnvironment } from '../../shared/tenants/tenant-environment.js';

export const tenantVariable = {
  name: 'PALIMPSEST_TENANT',
  kind: 'text',
  description:
    'The id of a tenant: commands that open the data themselves (verify, rebuild, restore, deletions, migrate) work on it. Unset: on the default one.',
} as const satisfies Variable;

/** The process around a command; a test gives its own. */
export type Host = {
  /** The variables of the process. */
  readonly variables: Environment;
  /** Those, completed by `.env` files. Throws ConfigurationError for a file that cannot be read. */
  readonly environment: () => Environment;
  /** Writes a line to stdout. */
  readonly print: (line: string) => void;
  /** Writes a line to stderr. */
  readonly printError: (line: string) => void;
  /** The whole standard input, of a bounded length. */
  readonly readInput: () => Promise<string>;
  /** A person reads stdout. False: a program or a file takes it. */
  readonly isTerminal: boolean;
  /** Styles a text where the terminal has colours. */
  readonly paint: (style: Parameters<typeof styleText>[0], text: string) => string;
  /** The exit code at the end of the action. After a known failure 0 counts as EXIT.failed. */
  exitCode: number;
};

export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** Adds options, examples and the action to a command that has its name already. */
export type Define = (command: Command, host: Host) => void;

export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  $ palimpsest ${line}`)].join('\n');
}

/** Prints the body as JSON when the caller or a pipe wants that, otherwise the lines for a person. */
export function report(
  host: Host,
  { json }: { readonly json?: boolean },
  body: object,
  lines: readonly string[],
): void {
  host.print(json || !host.isTerminal ? JSON.stringify(body) : lines.join('\n'));
}

/**
 * A text of others as a terminal may show it: a control character could move the cursor, hide words or type for the
 * user.
 */
export function plain(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, '\ufffd');
}

/** The whole of a stream as text. Throws CommandError beyond the largest body of one memory. */
export async function readBounded(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const { bytes: limit } = BODY_LIMITS.memory;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > limit) throw new CommandError(`The standard input has more than ${limit} bytes: give less`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Reads the number of an argument or option. */
export function numberIn(minimum: number, maximum: number, isWhole = false): (text: string) => number {
  return (text) => {
    const value = text.trim() === '' ? NaN : Number(text);
    if (value >= minimum && value <= maximum && (!isWhole || Number.isSafeInteger(value))) return value;
    const range = maximum < Number.MAX_SAFE_INTEGER ? `${minimum} to ${maximum}` : `${minimum} or more`;
    throw new InvalidArgumentError(`It must be a ${isWhole ? 'whole ' : ''}number, ${range}.`);
  };
}

export function wholeNumberIn(minimum: number, maximum = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return numberIn(minimum, maximum, true);
}

/** Collects an option that may be repeated. */
export function collect(text: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), text];
}

/** The command cannot continue; the message says why. */
export class CommandError extends PalimpsestError {
  readonly code = 'command';
  readonly isRetryable = false;
}

/** A wrong archive, variable or store, or a file that the system refuses. */
export function isKnownFailure(error: unknown): boolean {
  const isOurs = [ArchiveError, ConfigurationError, PalimpsestError].some((known) => error instanceof known);
  if (isOurs || !(error instanceof Error)) return isOurs;
  return [error, error.cause].some((reason) => reason instanceof Error && 'syscall' in reason);
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
  host: Host,
  use: (context: StoreContext) => Promise<T>,
  advice?: string,
): Promise<T> {
  const signal = stopOnSignal(advice);
  const resources = createResources();
  try {
    const logger = createLogger({ level: 'warn', stream: process.stderr });
    const environment = environmentOfTenant(host.environment());
    warnOfMisspelt(environment, logger);
    return await use({ environment, logger, resources, signal });
  } finally {
    await resources.close();
  }
}

/** Of the tenant that `PALIMPSEST_TENANT` names; without it, of the default one. */
function environmentOfTenant(environment: Environment): Environment {
  const { PALIMPSEST_TENANT: given } = readVariables([tenantVariable], environment);
  if (given === undefined) return environment;
  const id = parseMemoryId(given);
  if (id === null)
    throw new ConfigurationError([`PALIMPSEST_TENANT is the id of a tenant, a UUID: palimpsest tenants list shows it`]);
  return tenantEnvironment(environment, id);
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
