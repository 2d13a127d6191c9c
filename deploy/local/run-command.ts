/** Runs a command to its end, its output in a log: installations and the first steps of a server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { lastLines } from './last-lines.js';
import { LaunchError } from './launch-error.js';
import type { Command } from './program.js';
import { openLog } from './spawn-detached.js';

const LAST_LINES = 5;

export type CommandRun = {
  readonly log: string;
  readonly timeoutMs: number;
  /** Ends the command, and this with it, when it is aborted. */
  readonly told: AbortSignal;
  /** Written to its standard input. */
  readonly input?: string;
};

/** Resolves with whether it ended with status 0. */
export async function tryCommand(
  { file, arguments: args, environment, user, workingFolder }: Command,
  { log, timeoutMs, told, input = '' }: CommandRun,
): Promise<boolean> {
  const output = openLog(log);
  try {
    const child = spawn(file, args, {
      stdio: ['pipe', output, output],
      timeout: timeoutMs,
      signal: told,
      ...(environment === undefined ? {} : { env: environment }),
      ...(workingFolder === undefined ? {} : { cwd: workingFolder }),
      ...user,
    });
    // A command that ends without reading says so by its status, not by a broken pipe.
    child.stdin?.on('error', () => undefined).end(input);
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } finally {
    closeSync(output);
  }
}

/** Throws with `what` and the name of the log unless it ended with status 0. */
export async function runCommand(command: Command, run: CommandRun & { readonly what: string }): Promise<void> {
  const isDone = await tryCommand(command, run).catch((error: unknown) => {
    run.told.throwIfAborted();
    throw new LaunchError(
      `${run.what}: ${command.file} cannot be run (${error instanceof Error ? error.message : String(error)})`,
    );
  });
  if (!isDone)
    throw new LaunchError(`${run.what}; the last lines of ${run.log}:\n${await lastLines(run.log, LAST_LINES)}`);
}
