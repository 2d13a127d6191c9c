/**
 * A Postgres on a faulty disk, for one test file: another cluster than the Postgres of the run, because losing its
 * power kills it. It has the binaries and settings of `npm run local`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile } from 'node:fs/promises';
import { addressesOf, PORTS } from '../../../deploy/local/addresses.js';
import { localConfig } from '../../../deploy/local/config.js';
import { createLocal } from '../../../deploy/local/local.js';
import type { Program } from '../../../deploy/local/programs/program.js';
import { requireTools } from '../../../deploy/local/setup/find-tools.js';
import { REPOSITORY } from '../checks/source-files.js';
import { until } from '../checks/until.js';
import { type FaultyDisk, openFaultyDisk } from '../faults/disk/faulty-disk.js';
import { createTempFolder } from '../fixtures/temp-folder.js';
import { freePort } from '../processes/free-port.js';

export type FaultyPostgres = {
  /** The address of its first database, with a user that may create others. */
  readonly url: string;
  readonly disk: FaultyDisk;
  /**
   * Kills all of its processes, takes back unsynced writes and starts it again. Resolves with the number of lost
   * sectors.
   */
  readonly losePower: (choice: Parameters<FaultyDisk['losePower']>[0]) => Promise<number>;
  /** Starts it again if it has ended, as after a crash that it could not recover from. */
  readonly start: () => Promise<void>;
  readonly remove: () => Promise<void>;
};

export async function openFaultyPostgres(): Promise<FaultyPostgres> {
  const folder = await createTempFolder();
  await chmod(folder.path, 0o755); // Postgres runs as another user than root
  const portOffset = (await freePort()) - PORTS.postgres;
  const config = { ...localConfig({ LOCAL_DIR: folder.path }, REPOSITORY), portOffset };
  const program = await postgresOf(config);
  const [data] = program.dataFolders as [string];
  const disk = await openFaultyDisk(data);
  let running: Running | null = null;

  async function start(): Promise<void> {
    if (running?.hasEnded() === false) return;
    running = await launch(program, disk);
  }
  async function kill(): Promise<void> {
    await running?.kill();
    running = null;
  }

  await program.install?.();
  await start();
  return {
    url: addressesOf(config).postgres,
    disk,
    start,
    losePower: async (choice) => {
      await kill();
      const lost = await disk.losePower(choice);
      await start();
      return lost;
    },
    remove: async () => {
      await kill();
      await disk.remove();
      await folder.remove();
    },
  };
}

async function postgresOf(config: ReturnType<typeof localConfig>): Promise<Program> {
  const { programs } = await createLocal({
    config,
    environment: process.env,
    repository: REPOSITORY,
    report: () => undefined,
    shutdownSignal: new AbortController().signal,
  });
  const program = programs.find(({ name }) => name === 'postgres');
  if (program === undefined) throw new Error('The launcher has no program named postgres');
  await requireTools(program.tools ?? [], process.env['PATH'] ?? '');
  return program;
}

type Running = { readonly hasEnded: () => boolean; readonly kill: () => Promise<void> };

async function launch(program: Program, disk: FaultyDisk): Promise<Running> {
  const command = await program.launch(null);
  const child = spawn(command.file, command.arguments, {
    env: { ...process.env, ...disk.variables },
    stdio: 'ignore',
    ...(command.workingFolder === undefined ? {} : { cwd: command.workingFolder }),
    ...command.user,
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await until('Postgres is healthy', () => {
    if (hasEnded()) throw new Error(`Postgres ended with ${child.exitCode ?? child.signalCode} while it started`);
    return program.isHealthy(program.port);
  });
  return {
    hasEnded,
    kill: async () => {
      const pid = child.pid;
      if (hasEnded() || pid === undefined) return;
      const ended = once(child, 'exit');
      // Its first process starts no other ones once it is stopped, so all of them are in the list.
      child.kill('SIGSTOP');
      const others = await childrenOf(pid);
      for (const other of others) process.kill(other, 'SIGKILL');
      child.kill('SIGKILL');
      await ended;
      await until('all processes of Postgres have ended', async () =>
        (await Promise.all(others.map(isAlive))).every((alive) => !alive),
      );
    },
  };
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

/** A zombie has ended: it writes nothing. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return !/\) Z/u.test(stat);
}
