/**
 * Starts a program that outlives the launcher: in a session of its own, with none of our files open, and with its output in its log.
 *
 * A small shell stays its parent and reaps it immediately when it dies. Without the shell, process 1 may reap late: a killed Postgres then
 * stays a zombie, and a new one refuses to start ("lock file already exists").
 */
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { LaunchError } from '../launch-error.js';
import { openLog } from '../log-file.js';
import type { Command } from './program.js';

const SUPERVISOR = '"$@" 3>&- & echo $! >&3; exec 3>&-; wait $!; echo "--- process $! ended with status $?"';

/** Resolves with the process id of the program itself. */
export async function spawnDetached(command: Command, log: string): Promise<number> {
  const output = openLog(log);
  try {
    const shell = spawn('/bin/sh', ['-c', SUPERVISOR, 'palimpsest-local', command.file, ...command.arguments], {
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

async function textOf(pipe: Readable): Promise<string> {
  let text = '';
  for await (const chunk of pipe) text += String(chunk);
  return text;
}
