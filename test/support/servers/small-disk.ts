/** Puts the data of a local server on a disk that has no space left. Needs root and Linux, because it mounts a file system. */
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Space of the small disk in addition to the data that it holds, in KiB. */
const SPARE_KIB = 16 * 1024;

export interface SmallDisk {
  /** Uses up the remaining space. */
  fill(): Promise<void>;
  /** Frees the space, and moves the data back to the disk it came from. The server does not run meanwhile. */
  remove(): Promise<void>;
}

/** Null where this machine does not allow the mount. The server does not run meanwhile. */
export async function openSmallDisk(folder: string): Promise<SmallDisk | null> {
  const filler = join(folder, 'filler');
  const copy = `${folder}.copy`;
  const { stdout } = await run('du', ['-sk', folder]);
  const size = `size=${Number.parseInt(stdout, 10) + SPARE_KIB}k`;
  await run('cp', ['-a', '--sparse=always', folder, copy]);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder]);
  } catch {
    await rm(copy, { recursive: true });
    return null;
  }
  await run('cp', ['-a', '--sparse=always', `${copy}/.`, folder]);
  await rm(copy, { recursive: true });
  return {
    fill: async () => {
      // Ends with an error, because the space ends before the file does. What was written stays.
      await writeFile(filler, Buffer.alloc(2 * SPARE_KIB * 1024)).catch(() => undefined);
    },
    remove: async () => {
      await rm(filler, { force: true });
      await run('cp', ['-a', '--sparse=always', folder, copy]);
      await run('umount', [folder]);
      await rm(folder, { recursive: true });
      await run('mv', [copy, folder]);
    },
  };
}
