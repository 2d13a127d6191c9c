/**
 * The local Postgres: a cluster of its own, with settings for logical replication and many processes, and with fsync
 * on.
 */
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { foldersIn } from '../folders.js';
import { portOf } from '../ports.js';
import { sendToPort } from '../programs/port-probe.js';
import type { Command, Program } from '../programs/program.js';
import type { AccessibleFolder } from '../setup/accessible-folder.js';
import { runCommand } from '../setup/run-command.js';
import type { ServerDeps } from './server-deps.js';
import { unpackPostgres } from './unpack-postgres.js';

/** The name of the user, of its password and of the database. */
export const POSTGRES_NAME = 'palimpsest';
const STEP_TIMEOUT_MS = 60_000;
/**
 * A Postgres that accepts clients answers their first message with a request for the password. One that still recovers
 * answers with an error.
 */
const ASKS_FOR_PASSWORD = 'R';

/** The collation is Postgres' own, so that an index has the same order on every machine. */
const CLUSTER = [
  '-U',
  POSTGRES_NAME,
  '-A',
  'scram-sha-256',
  '-E',
  'UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
];
const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'wal_level=logical', 'max_connections=200'];

export function postgres(deps: ServerDeps, { path, user, isOutsideStateFolder }: AccessibleFolder): Program {
  const { config, folders, report, shutdownSignal } = deps;
  const port = portOf('postgres', config);
  const log = folders.log('postgres');
  const binaries = join(foldersIn(path).cache, 'postgres');
  const data = foldersIn(path).data('postgres');
  const asPostgresUser = (file: string, args: readonly string[]): Command => ({
    file: join(binaries, 'bin', file),
    arguments: args,
    workingFolder: binaries,
    ...(user === null ? {} : { user }),
  });
  const giveOwnership = async (given: string): Promise<void> => {
    if (user !== null) await chown(given, user.uid, user.gid);
  };

  /**
   * Builds the cluster in a temporary folder and renames it at the end, so that an interrupted first start begins
   * again.
   */
  async function createCluster(): Promise<void> {
    const unfinished = `${data}.new`;
    const password = join(binaries, 'password');
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(dirname(unfinished), { recursive: true });
    await mkdir(unfinished, { mode: 0o700 });
    await writeFile(password, POSTGRES_NAME);
    await Promise.all([unfinished, password].map(giveOwnership));
    const step = { log, timeoutMs: STEP_TIMEOUT_MS, shutdownSignal };
    await runCommand(asPostgresUser('initdb', ['-D', unfinished, `--pwfile=${password}`, ...CLUSTER]), {
      ...step,
      what: 'Postgres could not create its data folder',
    });
    await runCommand(asPostgresUser('postgres', ['--single', '-D', unfinished, 'postgres']), {
      ...step,
      what: 'Postgres could not create the database',
      input: `CREATE DATABASE ${POSTGRES_NAME}\n`,
    });
    await rename(unfinished, data);
  }

  return {
    name: 'postgres',
    kind: 'server',
    port,
    stopSignal: 'SIGINT',
    dataFolders: [data],
    tools: ['java', 'mvn', 'python3'],
    install: () => unpackPostgres(deps, { binaries, user }),
    async launch(previous) {
      if (isOutsideStateFolder)
        report(`postgres runs as the user "nobody", which cannot enter ${folders.root}: its data is in ${data}`);
      if (!existsSync(join(data, 'PG_VERSION'))) await createCluster();
      if (previous !== null) await removeLockOf(previous.pid, data);
      return asPostgresUser('postgres', [
        '-D',
        data,
        '-p',
        String(port),
        ...SETTINGS.flatMap((setting) => ['-c', setting]),
      ]);
    },
    isHealthy: async (at) => (await sendToPort(at, startupMessage(), 1))?.toString('latin1') === ASKS_FOR_PASSWORD,
  };
}

/**
 * A killed Postgres leaves its lock file. When another process gets its number, the next Postgres takes that process
 * for a Postgres and refuses to start.
 */
async function removeLockOf(pid: number, data: string): Promise<void> {
  const lock = join(data, 'postmaster.pid');
  if (existsSync(lock) && Number.parseInt(await readFile(lock, 'utf8'), 10) === pid) await rm(lock);
}

/** A client's first message: length, protocol 3.0, then names and values, each ended by a zero byte. */
function startupMessage(): Buffer {
  const body = Buffer.from(`\0\x03\0\0user\0${POSTGRES_NAME}\0database\0${POSTGRES_NAME}\0\0`, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
}
