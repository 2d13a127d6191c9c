/**
 * A folder for what root must not run itself: Postgres refuses to, and nginx gives its workers to another user. Root hands both to the
 * user `nobody`; where that user cannot enter the state folder (a clone below /root, say), they get one that everybody can reach.
 */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SystemUser } from './program.js';

export type OpenFolder = {
  readonly path: string;
  /** Who runs what is in it; null for the launcher's own user. */
  readonly user: SystemUser | null;
  /** True when it is not below the state folder. */
  readonly isElsewhere: boolean;
};

/** Unlike /tmp it is kept over a restart of the machine. */
const OPEN_TO_ALL = '/var/tmp';

export async function openFolder(stateFolder: string): Promise<OpenFolder> {
  if (process.getuid?.() !== 0) return { path: stateFolder, user: null, isElsewhere: false };
  const user = await nobody();
  await mkdir(stateFolder, { recursive: true });
  const isInside = await canEnter(user, stateFolder);
  const path = isInside
    ? stateFolder
    : join(OPEN_TO_ALL, `palimpsest-local-${createHash('sha256').update(stateFolder).digest('hex').slice(0, 12)}`);
  await openFor(path);
  return { path, user, isElsewhere: !isInside };
}

/** Whatever our umask is. What is below these belongs to the user who needs it. */
async function openFor(path: string): Promise<void> {
  for (const folder of [path, ...['cache', 'data', 'run'].map((name) => join(path, name))]) {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o755);
  }
}

async function nobody(): Promise<SystemUser> {
  const idOf = async (option: string): Promise<number> =>
    Number((await promisify(execFile)('id', [option, 'nobody'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

async function canEnter(user: SystemUser, folder: string): Promise<boolean> {
  const child = spawn('test', ['-x', folder], { ...user, cwd: '/', stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
