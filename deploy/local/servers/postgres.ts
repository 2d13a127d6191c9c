/** Postgres: a cluster of its own, with what logical replication and many processes need, and fsync on. */
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { askPort } from '../ask-port.js';
import { foldersIn } from '../folders.js';
import type { OpenFolder } from '../open-folder.js';
import { portOf, portVariable } from '../ports.js';
import type { Command, Program } from '../program.js';
import { runCommand } from '../run-command.js';
import type { ServerDeps } from './server-deps.js';
import { unpackPostgres } from './unpack-postgres.js';

/** The name of the user, its password and the database. */
export const POSTGRES_NAME = 'palimpsest';
const STEP_TIMEOUT_MS = 60_000;
/** The answer to a client's first message that asks for a password: it accepts clients. One that still recovers answers with an error. */
const ASKS_FOR_PASSWORD = 'R';

/** Collation is Postgres' own, so that an index made here is in order on any machine. */
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

export function postgres(deps: ServerDeps, { path, user, isElsewhere }: OpenFolder): Program {
  const { config, folders, say, told } = deps;
  const port = portOf('postgres', config);
  const log = folders.log('postgres');
  const binaries = join(foldersIn(path).cache, 'postgres');
  const data = foldersIn(path).data('postgres');
  const asItself = (file: string, args: readonly string[]): Command => ({
    file: join(binaries, 'bin', file),
    arguments: args,
    workingFolder: binaries,
    ...(user === null ? {} : { user }),
  });
  const giveToIt = async (given: string): Promise<void> => {
    if (user !== null) await chown(given, user.uid, user.gid);
  };

  /** In a folder beside the real one, so that a first start that was cut short is begun again. */
  async function createCluster(): Promise<void> {
    const unfinished = `${data}.new`;
    const password = join(binaries, 'password');
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(dirname(unfinished), { recursive: true });
    await mkdir(unfinished, { mode: 0o700 });
    await writeFile(password, POSTGRES_NAME);
    await Promise.all([unfinished, password].map(giveToIt));
    const step = { log, timeoutMs: STEP_TIMEOUT_MS, told };
    await runCommand(asItself('initdb', ['-D', unfinished, `--pwfile=${password}`, ...CLUSTER]), {
      ...step,
      what: 'Postgres could not make its data folder',
    });
    await runCommand(asItself('postgres', ['--single', '-D', unfinished, 'postgres']), {
      ...step,
      what: 'Postgres could not make the database',
      input: `CREATE DATABASE ${POSTGRES_NAME}\n`,
    });
    await rename(unfinished, data);
  }

  return {
    name: 'postgres',
    kind: 'server',
    port,
    portVariable: portVariable('postgres'),
    stopSignal: 'SIGINT',
    dataFolders: [data],
    tools: ['java', 'mvn', 'python3'],
    install: () => unpackPostgres(deps, { binaries, user }),
    async launch(previous) {
      if (isElsewhere) say(`postgres runs as nobody, who cannot enter ${folders.root}: its data is in ${data}`);
      if (!existsSync(join(data, 'PG_VERSION'))) await createCluster();
      if (previous !== null) await removeLockOf(previous.pid, data);
      return asItself('postgres', ['-D', data, '-p', String(port), ...SETTINGS.flatMap((setting) => ['-c', setting])]);
    },
    isHealthy: async (at) => (await askPort(at, startupMessage(), 1))?.toString('latin1') === ASKS_FOR_PASSWORD,
  };
}

/** A killed Postgres leaves its lock; once another process has its number, the next one would take that for a Postgres and refuse to start. */
async function removeLockOf(pid: number, data: string): Promise<void> {
  const lock = join(data, 'postmaster.pid');
  if (existsSync(lock) && Number.parseInt(await readFile(lock, 'utf8'), 10) === pid) await rm(lock);
}

/** Length, protocol 3.0, then names and values, each ended by a zero byte. */
function startupMessage(): Buffer {
  const body = Buffer.from(`\0\x03\0\0user\0${POSTGRES_NAME}\0database\0${POSTGRES_NAME}\0\0`, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
}
