/** The local Postgres: a cluster with settings for logical replication and many processes. */
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { portOf, POSTGRES_NAME } from '../addresses.js';
import { foldersIn } from '../folders.js';
import { sendToPort } from '../programs/port-probe.js';
import { type Command, LaunchError, type Program, type SystemUser } from '../programs/program.js';
import type { AccessibleFolder } from '../setup/accessible-folder.js';
import type { ServerDeps } from '../setup/install-jars.js';
import { runCommand } from '../setup/run-command.js';

const STEP_TIMEOUT_MS = 60_000;
/** The answer of a Postgres that accepts clients; one that still recovers answers with an error. */
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

  /** Renames the folder at the end, so that an interrupted first start begins again. */
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

/** A killed Postgres leaves its lock file, which stops the next one when another process gets its number. */
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

const VERSION = '17.5.0';
const UNPACK_TIMEOUT_MS = 120_000;

const PLATFORMS: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-amd64',
  'linux-arm64': 'linux-arm64v8',
  'darwin-x64': 'darwin-amd64',
  'darwin-arm64': 'darwin-arm64v8',
};

/** The target folder, and the user that runs the binaries; null for the launcher's own user. */
export type PostgresBinaries = { readonly binaries: string; readonly user: SystemUser | null };

export async function unpackPostgres(
  { folders, sources, jars, shutdownSignal }: ServerDeps,
  { binaries, user }: PostgresBinaries,
): Promise<void> {
  const marker = join(binaries, 'version');
  if (existsSync(marker) && (await readFile(marker, 'utf8')) === VERSION) return;
  const platform = platformOf(process.platform, process.arch);
  const [jar] = await jars.install({
    name: `postgres-${VERSION}`,
    pom: join(sources, 'postgres', 'pom.xml'),
    properties: { 'postgres.version': VERSION, 'postgres.platform': platform },
  });
  const unfinished = `${binaries}.new`;
  const unpack = (module: string, archive: string): Promise<void> =>
    runCommand(
      {
        file: 'python3',
        arguments: ['-m', module, '-e', archive, unfinished],
        workingFolder: unfinished,
        ...(user !== null && module === 'tarfile' ? { user } : {}),
      },
      {
        what: `Python could not unpack ${archive}`,
        log: join(folders.cache, 'postgres.unpack.log'),
        timeoutMs: UNPACK_TIMEOUT_MS,
        shutdownSignal,
      },
    );
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await unpack('zipfile', String(jar));
  const archive = (await readdir(unfinished)).find((name) => name.endsWith('.txz'));
  if (archive === undefined) throw new LaunchError(`${String(jar)} contains no Postgres: delete it and run this again`);
  // The user that runs it unpacks it, so that this user can read all files whatever our umask is.
  if (user !== null) for (const path of [unfinished, join(unfinished, archive)]) await chown(path, user.uid, user.gid);
  await unpack('tarfile', join(unfinished, archive));
  await rm(join(unfinished, archive));
  await writeFile(join(unfinished, 'version'), VERSION);
  await rm(binaries, { recursive: true, force: true });
  await rename(unfinished, binaries);
}

export function platformOf(system: string, architecture: string): string {
  const platform = PLATFORMS[`${system}-${architecture}`];
  if (platform === undefined)
    throw new LaunchError(
      `There are no Postgres binaries for ${system} on ${architecture}: run a Postgres 17 of your own and name it in POSTGRES_URL`,
    );
  return platform;
}
