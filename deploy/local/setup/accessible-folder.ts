/**
 * Chooses a folder for programs that root cannot run under its own name: Postgres refuses to run as root, and the
 * workers of nginx run as another user. Root runs both as an unprivileged system user. Where that user cannot enter the
 * state folder (for example a clone below /root), these programs get a folder that all users can enter.
 */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SystemUser } from '../programs/program.js';

export type AccessibleFolder = {
  readonly path: string;
  /** The user that runs the programs in it; null for the launcher's own user. */
  readonly user: SystemUser | null;
  /** True when the folder is not the state folder. */
  readonly isOutsideStateFolder: boolean;
};

/** Unlike /tmp, it survives a restart of the machine. */
const ACCESSIBLE_ROOT = '/var/tmp';

export async function findAccessibleFolder(stateFolder: string): Promise<AccessibleFolder> {
  if (process.getuid?.() !== 0) return { path: stateFolder, user: null, isOutsideStateFolder: false };
  const user = await unprivilegedUser();
  await mkdir(stateFolder, { recursive: true });
  const isInside = await canEnter(user, stateFolder);
  const path = isInside
    ? stateFolder
    : join(ACCESSIBLE_ROOT, `palimpsest-local-${createHash('sha256').update(stateFolder).digest('hex').slice(0, 12)}`);
  await makeReadable(path);
  return { path, user, isOutsideStateFolder: !isInside };
}

/** For all users, whatever our umask is. The files in them belong to the user of their program. */
async function makeReadable(path: string): Promise<void> {
  for (const folder of [path, ...['cache', 'data', 'run'].map((name) => join(path, name))]) {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o755);
  }
}

async function unprivilegedUser(): Promise<SystemUser> {
  const idOf = async (option: string): Promise<number> =>
    Number((await promisify(execFile)('id', [option, 'nobody'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

async function canEnter(user: SystemUser, folder: string): Promise<boolean> {
  const child = spawn('test', ['-x', folder], { ...user, cwd: '/', stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
