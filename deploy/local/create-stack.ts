/**
 * Everything that runs on this machine, and what can be done with it. What changes something takes the lock of the state folder, so that
 * callers side by side do no harm; pausing and resuming change nothing that is remembered, and so wait for nobody.
 */
import { rm } from 'node:fs/promises';
import { endProcess, killProcess, pauseProcess, resumeProcess } from './end-program.js';
import { demandTools } from './find-tools.js';
import type { Folders } from './folders.js';
import { LaunchError } from './launch-error.js';
import type { ProcessRecord, ProcessRecords } from './process-record.js';
import { statusOf, type ProgramStatus } from './program-status.js';
import type { Program } from './program.js';
import { startProgram } from './start-program.js';
import { withLock } from './take-lock.js';

export interface Stack {
  /** Installs what is missing, starts what does not run, and resolves when all of it is well. */
  up(programs: readonly Program[]): Promise<void>;
  /** `up` without the migrations: for what was stopped or killed. */
  start(programs: readonly Program[]): Promise<void>;
  /** Asks each to end, the last started first; data is kept. */
  down(programs: readonly Program[]): Promise<void>;
  /** SIGKILL, as when a machine loses its power. */
  kill(programs: readonly Program[]): Promise<void>;
  pause(programs: readonly Program[]): Promise<void>;
  resume(programs: readonly Program[]): Promise<void>;
  /** Kills them and deletes their data. */
  reset(programs: readonly Program[]): Promise<void>;
  status(programs: readonly Program[]): Promise<readonly ProgramStatus[]>;
}

export type StackDeps = {
  readonly folders: Folders;
  readonly records: ProcessRecords;
  /** Brings the databases to the form that our processes want. */
  readonly migrate: () => Promise<void>;
  readonly path: string;
  readonly say: (line: string) => void;
  /** Ends what is under way in `up` and `start` when it is aborted. */
  readonly told: AbortSignal;
};

const KINDS: readonly Program['kind'][] = ['server', 'process', 'gateway'];

export function createStack(deps: StackDeps): Stack {
  const { folders, records, migrate, path, say, told } = deps;

  async function startKind(programs: readonly Program[], kind: Program['kind']): Promise<void> {
    told.throwIfAborted();
    await side(
      programs.filter((program) => program.kind === kind),
      (program) => startProgram(program, { folders, records, say, told }),
    );
  }

  async function end(programs: readonly Program[]): Promise<void> {
    for (const kind of KINDS.toReversed()) {
      await side(
        programs.filter((program) => program.kind === kind),
        async (program) => {
          const record = await records.living(program.name);
          if (record === null) return;
          const how = await endProcess(record, program.stopSignal);
          say(how === 'ended' ? `${program.name} is stopped` : `${program.name} did not stop in time, and was killed`);
        },
      );
    }
  }

  async function demandAlive(program: Program): Promise<ProcessRecord> {
    const record = await records.living(program.name);
    if (record === null)
      throw new LaunchError(`${program.name} is not running: start it with "npm run local -- start ${program.name}"`);
    return record;
  }

  return {
    up: (programs) =>
      withLock(folders.root, async () => {
        await demandTools([...new Set(programs.flatMap(({ tools }) => tools))], path);
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
        side(programs, async (program) => {
          await killProcess(await demandAlive(program));
          say(`${program.name} is killed`);
        }),
      ),
    pause: (programs) => side(programs, async (program) => pauseProcess(await demandAlive(program))),
    resume: (programs) => side(programs, async (program) => resumeProcess(await demandAlive(program))),
    reset: (programs) =>
      withLock(folders.root, async () => {
        await side(programs, async (program) => {
          const record = await records.living(program.name);
          // What it would write on its way out goes with the rest.
          if (record !== null) await killProcess(record);
          for (const folder of [...program.dataFolders, folders.run(program.name)])
            await rm(folder, { recursive: true, force: true });
          say(`${program.name} is stopped, and its data deleted`);
        });
      }),
    status: (programs) => Promise.all(programs.map((program) => statusOf(program, records))),
  };
}

/** All of them side by side; none is left on its way when this ends, and every failure is told. */
async function side(programs: readonly Program[], work: (program: Program) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(programs.map(work));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failures.length === 1) throw failures[0];
  const unknown = failures.find((failure) => !(failure instanceof LaunchError));
  if (unknown !== undefined) throw unknown;
  if (failures.length > 1)
    throw new LaunchError(failures.map((failure) => (failure as LaunchError).message).join('\n'));
}
