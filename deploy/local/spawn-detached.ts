/**
 * Starts a program that outlives the launcher: in a session of its own, with none of our files open, its output in its log.
 *
 * A small shell stays its parent, so that it is reaped at once when it dies. Left to a process 1 that reaps late, a killed Postgres is
 * a zombie, and a new one refuses to start ("lock file already exists").
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { LaunchError } from './launch-error.js';
import type { Command } from './program.js';

const PARENT = '"$@" 3>&- & echo $! >&3; exec 3>&-; wait $!; echo "--- process $! ended with status $?"';
const LOG_LIMIT_BYTES = 10_000_000;

/** Resolves with the number of the program's own process. */
export async function spawnDetached(command: Command, log: string): Promise<number> {
  const output = openLog(log);
  try {
    const shell = spawn('/bin/sh', ['-c', PARENT, 'palimpsest-local', command.file, ...command.arguments], {
      detached: true,
      stdio: ['ignore', output, output, 'pipe'],
      ...(command.environment === undefined ? {} : { env: command.environment }),
      ...(command.workingFolder === undefined ? {} : { cwd: command.workingFolder }),
      ...command.user,
    });
    const failed = new Promise<never>((_, reject) => shell.once('error', reject));
    // The fourth entry of `stdio` is a pipe.
    const pid = Number((await Promise.race([textOf(shell.stdio[3] as Readable), failed])).trim());
    shell.unref();
    if (!Number.isInteger(pid) || pid < 2) throw new LaunchError(`${command.file} could not be started; see ${log}`);
    return pid;
  } finally {
    closeSync(output);
  }
}

/** Opens the log to append. */
export function openLog(log: string): number {
  mkdirSync(dirname(log), { recursive: true });
  putAsideLongLog(log);
  return openSync(log, 'a');
}

/** So that no log grows for ever; it replaces the one that was put aside before. */
export function putAsideLongLog(log: string): void {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) renameSync(log, `${log}.1`);
}

async function textOf(pipe: Readable): Promise<string> {
  let text = '';
  for await (const chunk of pipe) text += String(chunk);
  return text;
}
