/**
 * An asynchronous standby of the local test Postgres, for tests of a failover. Stop its replication, let the primary
 * commit more, then promote it: what the primary committed since is lost. The pause of the replay alone would lose
 * nothing, because a promoted standby first replays everything that it has received.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command, Program } from '../../../deploy/local/programs/program.js';
import type { Postgres, Session } from '../../../shared/engines/postgres/connection/postgres.js';
import { createPostgres } from '../../../shared/engines/postgres/connection/postgres-pool.js';
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { until } from '../checks/until.js';
import { openTcpGate, type TcpGate } from '../faults/tcp-gate.js';
import { freePort } from '../processes/free-port.js';
import { isServerRunning, localDataFolder, localProgram } from './local-servers.js';
import { asAdministrator } from './postgres.js';
import { serverAddress } from './servers.js';

export type Standby = {
  readonly port: number;
  /** Resolves when it has replayed everything that the primary has committed until this call. */
  readonly caughtUp: () => Promise<void>;
  /** Stops the replication: what the primary commits from now on, the standby never gets. */
  readonly stopReplication: () => Promise<void>;
  /** Resolves when it accepts writes. Lead the clients to its port afterwards, with `TcpGate.switchTo`. */
  readonly promote: () => Promise<void>;
  readonly remove: () => Promise<void>;
};

/** Skips the test unless the launcher runs the test Postgres, because the standby is a copy of its data folder. */
export async function skipWithoutStandby(test: Mocha.Context): Promise<void> {
  const isLocal = await isServerRunning('postgres');
  if (!isLocal || (await localProgram('postgres')).port !== Number(new URL(serverAddress('postgres')).port))
    test.skip();
}

const START_TIMEOUT_MS = 60_000;

export async function startStandby(): Promise<Standby> {
  const program = await localProgram('postgres');
  const command = await program.launch(null);
  const port = await freePort();
  const data = `${localDataFolder('postgres')}-standby-${port}`;
  const primary = new URL(serverAddress('postgres'));
  const replication = await openTcpGate({ host: primary.hostname, port: Number(primary.port) });
  await asAdministrator(async (server) => copyPrimary(server, { data, command, replication }));
  const server = await launch(program, { command, data, port });
  const standby = createPostgres({
    config: { ...postgresConfig({ POSTGRES_URL: withPort(primary, port) }), poolSize: 1 },
    logger: silentLogger,
  });
  return {
    port,
    caughtUp: () => caughtUp(standby),
    stopReplication: () => replication.refuse(),
    promote: async () => void (await standby.query('SELECT pg_promote()')),
    remove: async () => {
      await standby.close();
      await server.kill();
      await replication.close().catch(() => undefined /* it is closed after stopReplication */);
      await rm(data, { recursive: true, force: true });
    },
  };
}

type Copying = { readonly data: string; readonly command: Command; readonly replication: TcpGate };

/** The binaries of the launcher have no `pg_basebackup`, so this takes a base backup with the functions of Postgres. */
async function copyPrimary(server: Postgres, { data, command, replication }: Copying): Promise<void> {
  const session = await server.session();
  try {
    await session.query(`SELECT pg_backup_start('standby', true)`);
    await copyFolder(localDataFolder('postgres'), data);
    const label = join(data, 'backup_label');
    const signal = join(data, 'standby.signal');
    await writeFile(label, await stopBackup(session));
    await writeFile(signal, '');
    await rm(join(data, 'postmaster.pid'), { force: true });
    const { username, password } = new URL(serverAddress('postgres'));
    await appendFile(
      join(data, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${replication.port} user=${username} password=${password}'\n`,
    );
    const { user } = command;
    if (user) await Promise.all([label, signal].map((path) => chown(path, user.uid, user.gid)));
  } finally {
    await session.close();
  }
}

async function stopBackup(session: Session): Promise<string> {
  const { rows } = await session.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  return String(rows[0]?.labelfile);
}

/** A running Postgres removes files while they are copied, which the replay of its log makes good. */
async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]).catch((error: unknown) => {
    const { stderr } = error as { readonly stderr?: string };
    const problems = (stderr ?? '').split('\n').filter((line) => line !== '' && !/No such file/u.test(line));
    if (stderr === undefined || problems.length > 0) throw error;
  });
}

type Launching = { readonly command: Command; readonly data: string; readonly port: number };

async function launch(program: Program, { command, data, port }: Launching): Promise<{ kill(): Promise<void> }> {
  const settings = command.arguments.slice(command.arguments.indexOf('-c'));
  const child = spawn(command.file, ['-D', data, '-p', String(port), ...settings], {
    stdio: 'ignore',
    ...(command.workingFolder === undefined ? {} : { cwd: command.workingFolder }),
    ...command.user,
  });
  const ended = once(child, 'exit');
  await until(
    'the standby is healthy',
    () => {
      if (child.exitCode !== null) throw new Error(`The standby ended with ${child.exitCode} while it started`);
      return program.isHealthy(port);
    },
    START_TIMEOUT_MS,
  );
  return {
    kill: async () => {
      child.kill('SIGQUIT');
      await ended;
    },
  };
}

async function caughtUp(standby: Postgres): Promise<void> {
  const end = await asAdministrator(async (server) => {
    const { rows } = await server.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn()::text AS lsn');
    return rows[0]?.lsn;
  });
  await until('the standby has replayed everything', async () => {
    const { rows } = await standby.query<{ done: boolean }>('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS done', [
      end,
    ]);
    return rows[0]?.done;
  });
}

function withPort(url: URL, port: number): string {
  const other = new URL(url);
  other.port = String(port);
  return other.href;
}
