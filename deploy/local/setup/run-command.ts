/** Runs a command to its end, with its output in a log: installations, and preparations of a server's first start. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { messageOf } from '../../../shared/kernel/errors.js';
import { lastLines, openLog } from '../folders.js';
import { type Command, LaunchError } from '../programs/program.js';

const LAST_LINES = 5;

export type CommandRun = {
  readonly log: string;
  readonly timeoutMs: number;
  /** Ends the command when it is aborted, and rejects. */
  readonly shutdownSignal: AbortSignal;
  /** Written to its standard input. */
  readonly input?: string;
};

/** Resolves with true when the command ended with status 0. */
export async function tryCommand(
  { file, arguments: args, environment, user, workingFolder }: Command,
  { log, timeoutMs, shutdownSignal, input = '' }: CommandRun,
): Promise<boolean> {
  const output = openLog(log);
  try {
    const child = spawn(file, args, {
      stdio: ['pipe', output, output],
      timeout: timeoutMs,
      signal: shutdownSignal,
      ...(environment === undefined ? {} : { env: environment }),
      ...(workingFolder === undefined ? {} : { cwd: workingFolder }),
      ...user,
    });
    // A command may end without reading its input; its status counts, not the broken pipe.
    child.stdin?.on('error', () => undefined).end(input);
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } finally {
    closeSync(output);
  }
}

/** Throws a LaunchError with `what` and the name of the log unless the command ended with status 0. */
export async function runCommand(command: Command, run: CommandRun & { readonly what: string }): Promise<void> {
  const isDone = await tryCommand(command, run).catch((error: unknown) => {
    run.shutdownSignal.throwIfAborted();
    throw new LaunchError(`${run.what}: ${command.file} cannot be run (${messageOf(error)})`);
  });
  if (!isDone)
    throw new LaunchError(`${run.what}; the last lines of ${run.log}:\n${await lastLines(run.log, LAST_LINES)}`);
}
