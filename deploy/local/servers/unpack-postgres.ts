/**
 * Downloads the Postgres binaries for this platform and unpacks them: a jar that contains a .txz. Python unpacks both.
 */
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LaunchError } from '../launch-error.js';
import type { SystemUser } from '../programs/program.js';
import { runCommand } from '../setup/run-command.js';
import type { ServerDeps } from './server-deps.js';

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
