/**
 * All programs that the launcher runs on this machine, and the operations on them. An operation that changes recorded
 * state takes the lock of the state folder, so that concurrent callers are safe. Pausing and resuming change no
 * recorded state, so they take no lock.
 */
import { mkdir, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { lockDataFolder } from '../../shared/engines/sqlite/threads/lock-data-folder.js';
import { ConfigurationError } from '../../shared/kernel/config/config.js';
import type { Folders } from './folders.js';
import {
  killProcess,
  pauseProcess,
  type ProcessRecords,
  resumeProcess,
  stateOf,
  stopProcess,
} from './programs/process-record.js';
import { LaunchError, type ProcessRecord, type Program } from './programs/program.js';
import { startProgram } from './programs/start-program.js';
import { requireTools } from './setup/find-tools.js';

export interface Stack {
  /** Installs missing programs, starts those that do not run, and resolves when all of them are healthy. */
  up(programs: readonly Program[]): Promise<void>;
  /** `up` without the migrations: for programs that were stopped or killed. */
  start(programs: readonly Program[]): Promise<void>;
  /** Asks each program to end, in reverse order of the start; data is kept. */
  down(programs: readonly Program[]): Promise<void>;
  /** Sends SIGKILL, as when a machine loses its power. */
  kill(programs: readonly Program[]): Promise<void>;
  pause(programs: readonly Program[]): Promise<void>;
  resume(programs: readonly Program[]): Promise<void>;
  /** Kills the programs and deletes their data. */
  reset(programs: readonly Program[]): Promise<void>;
  status(programs: readonly Program[]): Promise<readonly ProgramStatus[]>;
}

export type ProgramStatus = {
  readonly name: string;
  readonly port: number;
  readonly pid: number | null;
  readonly state: 'healthy' | 'unhealthy' | 'paused' | 'stopped';
};

export type StackDeps = {
  readonly folders: Folders;
  readonly records: ProcessRecords;
  /** Migrates the databases to the schema of our processes. */
  readonly migrate: () => Promise<void>;
  readonly path: string;
  readonly report: (line: string) => void;
  /** Aborts a running `up` or `start`. */
  readonly shutdownSignal: AbortSignal;
};

const KINDS: readonly Program['kind'][] = ['server', 'process', 'gateway'];

export function createStack(deps: StackDeps): Stack {
  const { folders, records, migrate, path, report, shutdownSignal } = deps;

  async function startKind(programs: readonly Program[], kind: Program['kind']): Promise<void> {
    shutdownSignal.throwIfAborted();
    await forEachProgram(
      programs.filter((program) => program.kind === kind),
      (program) => startProgram(program, { folders, records, report, shutdownSignal }),
    );
  }

  async function end(programs: readonly Program[]): Promise<void> {
    for (const kind of KINDS.toReversed()) {
      await forEachProgram(
        programs.filter((program) => program.kind === kind),
        async (program) => {
          const record = await records.findRunning(program.name);
          if (record === null) return;
          const how = await stopProcess(record, program.stopSignal);
          report(
            how === 'ended' ? `${program.name} is stopped` : `${program.name} did not stop in time and was killed`,
          );
        },
      );
    }
  }

  async function requireRunning(program: Program): Promise<ProcessRecord> {
    const record = await records.findRunning(program.name);
    if (record === null)
      throw new LaunchError(`${program.name} is not running: start it with "npm run local -- start ${program.name}"`);
    return record;
  }

  return {
    up: (programs) =>
      withLock(folders.root, async () => {
        await requireTools([...new Set(programs.flatMap(({ tools = [] }) => tools))], path);
        await startKind(programs, 'server');
        if (programs.some(({ kind }) => kind === 'process')) await migrate();
        for (const kind of ['process', 'gateway'] as const) await startKind(programs, kind);
      }),
    start: (programs) =>
      withLock(folders.root, async () => {
        for (const kind of KINDS) await startKind(programs, kind);
      }),
    down: (programs) => withLock(folders.root, () => end(programs)),
    kill: (programs) =>
      withLock(folders.root, () =>
        forEachProgram(programs, async (program) => {
          await killProcess(await requireRunning(program));
          report(`${program.name} is killed`);
        }),
      ),
    pause: (programs) => forEachProgram(programs, async (program) => pauseProcess(await requireRunning(program))),
    resume: (programs) => forEachProgram(programs, async (program) => resumeProcess(await requireRunning(program))),
    reset: (programs) =>
      withLock(folders.root, async () => {
        await forEachProgram(programs, async (program) => {
          const record = await records.findRunning(program.name);
          // SIGKILL is enough: anything that an orderly stop would write is deleted too.
          if (record !== null) await killProcess(record);
          for (const folder of [...(program.dataFolders ?? []), folders.run(program.name)])
            await rm(folder, { recursive: true, force: true });
          report(`${program.name} is stopped and its data is deleted`);
        });
      }),
    status: (programs) => Promise.all(programs.map((program) => statusOf(program, records))),
  };
}

/** At the same time. Throws one error with the messages of all failures. */
async function forEachProgram(programs: readonly Program[], work: (program: Program) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(programs.map(work));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failures.length === 1) throw failures[0];
  const unknown = failures.find((failure) => !(failure instanceof LaunchError));
  if (unknown !== undefined) throw unknown;
  if (failures.length > 1)
    throw new LaunchError(failures.map((failure) => (failure as LaunchError).message).join('\n'));
}

async function statusOf({ name, port, isHealthy }: Program, records: ProcessRecords): Promise<ProgramStatus> {
  const record = await records.read(name);
  const state = record === null ? 'gone' : await stateOf(record);
  if (record === null || state === 'gone') return { name, port, pid: null, state: 'stopped' };
  const found = { name, port: record.port, pid: record.pid };
  if (state === 'paused') return { ...found, state };
  return { ...found, state: (await isHealthy(record.port)) ? 'healthy' : 'unhealthy' };
}

const LOCK_TIMEOUT_MS = 10 * 60_000;
const POLL_MS = 100;

/** One change at a time in a state folder. The operating system releases the lock of a dead holder. */
async function withLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = await takeLock(folder);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function takeLock(folder: string): Promise<{ release(): void }> {
  const end = performance.now() + LOCK_TIMEOUT_MS;
  await mkdir(folder, { recursive: true }); // with the mode of the umask: servers of another user must enter it
  for (;;) {
    try {
      return lockDataFolder(folder);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      if (performance.now() > end)
        throw new LaunchError(
          `Another "npm run local" has held the lock of ${folder} for ${LOCK_TIMEOUT_MS / 60_000} minutes: wait for it, or stop it`,
          { cause: error },
        );
    }
    await pause(POLL_MS);
  }
}
