/**
 * A disk for the files below one folder that a test can make slow or full, and that can lose its power. It is a library
 * that processes preload (faulty-disk.c), so it needs a C compiler and Linux, and neither root nor a kernel module.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Context } from 'mocha';
import { skipWithReason } from '../../checks/not-run.js';
import { REPOSITORY } from '../../checks/source-files.js';
import type { Random } from '../../fixtures/random.js';
import { createTempFolder } from '../../fixtures/temp-folder.js';
import { undoUnsyncedWrites } from './undo-unsynced-writes.js';

export type FaultyDisk = {
  /** The environment of each process that uses the disk. */
  readonly variables: Readonly<Record<string, string>>;
  /** Changes the disk for running processes, too. What is not named becomes healthy. */
  readonly become: (state: DiskState) => Promise<void>;
  /**
   * Takes back unsynced writes. Call it after SIGKILL of all processes on the disk. Resolves with the number of lost
   * sectors.
   */
  readonly losePower: (choice: { readonly keptShare: number; readonly random: Random }) => Promise<number>;
  readonly remove: () => Promise<void>;
};

export type DiskState = {
  /** How much longer each fsync and fdatasync takes. */
  readonly syncMs?: number;
  /** Writes that make a file longer fail with ENOSPC. */
  readonly isFull?: boolean;
  /** A sync succeeds and makes nothing durable. */
  readonly ignoresSyncs?: boolean;
};

const SOURCE = join(REPOSITORY, 'test/support/faults/disk/faulty-disk.c');

export async function openFaultyDisk(folder: string): Promise<FaultyDisk> {
  const own = await createTempFolder();
  const [library, control, undoFolder] = ['faulty-disk.so', 'control', 'undo'].map((name) => join(own.path, name)) as [
    string,
    string,
    string,
  ];
  const become = ({ syncMs = 0, isFull = false, ignoresSyncs = false }: DiskState): Promise<void> =>
    writeFile(control, new Uint8Array(Uint32Array.of(syncMs, Number(isFull), Number(ignoresSyncs)).buffer), {
      flag: 'r+',
    });
  await promisify(execFile)('cc', ['-shared', '-fPIC', '-O2', '-o', library, SOURCE, '-ldl']);
  await writeFile(control, Buffer.alloc(3 * Uint32Array.BYTES_PER_ELEMENT));
  await mkdir(undoFolder);
  // A server that may not run as root uses the disk as another user.
  await chmod(own.path, 0o755);
  await chmod(undoFolder, 0o777);
  return {
    variables: {
      LD_PRELOAD: library,
      FAULTY_DISK_FOLDER: folder,
      FAULTY_DISK_CONTROL: control,
      FAULTY_DISK_UNDO: undoFolder,
    },
    become,
    losePower: (choice) => undoUnsyncedWrites({ folder, undoFolder, ...choice }),
    remove: own.remove,
  };
}

/** Skips the tests of a suite, and prints why, on a machine that cannot have a faulty disk. */
export async function skipWithoutFaultyDisk(suite: Context): Promise<void> {
  const reason = await missingForFaultyDisk();
  if (reason !== null) skipWithReason(suite, reason);
}

async function missingForFaultyDisk(): Promise<string | null> {
  if (process.platform !== 'linux') return `a faulty disk needs Linux, and this is ${process.platform}`;
  return promisify(execFile)('cc', ['--version']).then(
    () => null,
    () => 'a faulty disk needs a C compiler named cc',
  );
}
