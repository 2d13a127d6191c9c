/** Starts one program, installs it first where it is missing, and waits until it is healthy. */
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type Folders, lastLines, openLog } from '../folders.js';
import { isPortTaken } from './port-probe.js';
import type { ProcessRecords } from './process-record.js';
import { type Command, LaunchError, type Program } from './program.js';

const HEALTH_POLL_MS = 100;
const START_DEADLINE_MS = 120_000;
/** The threads of a killed process may hold its port for a moment after its first thread has ended. */
const PORT_RELEASE_MS = 10_000;
const LAST_LINES = 15;

export type StartDeps = {
  readonly records: ProcessRecords;
  readonly folders: Folders;
  readonly report: (line: string) => void;
  /** Waiting ends when this is aborted. */
  readonly shutdownSignal: AbortSignal;
};

/** Resolves once the program is healthy; does nothing when it already is. */
export async function startProgram(program: Program, deps: StartDeps): Promise<void> {
  const { records, report, shutdownSignal } = deps;
  const { name, port } = program;
  const alive = await records.findRunning(name);
  if (alive !== null && alive.port !== port)
    throw new LaunchError(
      `${name} runs on port ${alive.port}, not on ${port}: stop it first ("npm run local -- down ${name}")`,
    );
  if (alive !== null && (await program.isHealthy(port))) return report(`${name} is up on port ${port}`);
  const began = performance.now();
  if (alive === null) await launch(program, deps);
  await waitUntilHealthy(program, deps);
  shutdownSignal.throwIfAborted();
  report(`${name} is up on port ${port}, after ${((performance.now() - began) / 1_000).toFixed(1)} s`);
}

async function launch(program: Program, { records, folders, shutdownSignal }: StartDeps): Promise<void> {
  const { name, port } = program;
  if (!(await isFreeSoon(port)))
    throw new LaunchError(`Port ${port} of ${name} is used by another process: stop it or set LOCAL_PORT_OFFSET`);
  await program.install?.();
  shutdownSignal.throwIfAborted();
  const command = await program.launch(await records.read(name));
  shutdownSignal.throwIfAborted();
  const pid = await spawnDetached(command, folders.log(name));
  if ((await records.write(name, { pid, port })) === null) throw await earlyExitError(name, folders);
}

async function isFreeSoon(port: number): Promise<boolean> {
  const end = performance.now() + PORT_RELEASE_MS;
  while (await isPortTaken(port)) {
    if (performance.now() > end) return false;
    await pause(HEALTH_POLL_MS);
  }
  return true;
}

async function waitUntilHealthy(
  { name, isHealthy, port }: Program,
  { records, folders, shutdownSignal }: StartDeps,
): Promise<void> {
  const end = performance.now() + START_DEADLINE_MS;
  while (!(await isHealthy(port))) {
    if ((await records.findRunning(name)) === null) throw await earlyExitError(name, folders);
    if (performance.now() > end)
      throw new LaunchError(
        `${name} does not answer after ${START_DEADLINE_MS / 1_000} s; its log is ${folders.log(name)}`,
      );
    shutdownSignal.throwIfAborted();
    await pause(HEALTH_POLL_MS);
  }
}

async function earlyExitError(name: string, folders: Folders): Promise<LaunchError> {
  return new LaunchError(
    `${name} ended while it started; the last lines of ${folders.log(name)}:\n${await lastLines(folders.log(name), LAST_LINES)}`,
  );
}

const SUPERVISOR = '"$@" 3>&- & echo $! >&3; exec 3>&-; wait $!; echo "--- process $! ended with status $?"';

/**
 * Starts a program that outlives the launcher: in a session of its own, with none of our files open, and with its
 * output in its log. A small shell stays its parent and reaps it immediately when it dies. Without the shell, process
 * 1 may reap late: a killed Postgres then stays a zombie, and a new one refuses to start ("lock file already exists").
 * Resolves with the process id of the program itself.
 */
async function spawnDetached(command: Command, log: string): Promise<number> {
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
