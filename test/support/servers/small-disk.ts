/**
 * Puts the data of a local server on a disk that has no space left. Needs root and Linux, because it mounts a file
 * system.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../../shared/kernel/errors.js';

const run = promisify(execFile);
/** Space of the small disk in addition to the data that it holds, in KiB. */
const SPARE_KIB = 16 * 1024;

export interface SmallDisk {
  /** Uses up the remaining space. */
  fill(): Promise<void>;
  /** Frees the space, and moves the data back to the disk it came from. The server does not run meanwhile. */
  remove(): Promise<void>;
}

/** Why this machine cannot have a small disk; null where it can. */
export async function missingForSmallDisk(): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'small-disk-'));
  try {
    await mount(folder, SPARE_KIB);
    await run('umount', [folder]);
    return null;
  } catch (error) {
    return `a small disk needs root and Linux: ${messageOf(error).replaceAll(/\s+/gu, ' ').trim()}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The server does not run meanwhile. */
export async function openSmallDisk(folder: string): Promise<SmallDisk> {
  const filler = join(folder, 'filler');
  const copy = `${folder}.copy`;
  const { stdout } = await run('du', ['-sk', folder]);
  await run('cp', ['-a', '--sparse=always', folder, copy]);
  await mount(folder, Number.parseInt(stdout, 10) + SPARE_KIB);
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

async function mount(folder: string, kib: number): Promise<void> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', folder]);
}
