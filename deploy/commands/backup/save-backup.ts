/** Downloads a backup into FILE.part, checks it, and renames it. FILE exists only as a whole archive. */
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { ArchiveError } from '../../../shared/integrity/backup-format/archive-error.js';
import type { ArchiveManifest } from '../../../shared/integrity/backup-format/archive-format.js';
import { verifyArchive } from '../../../shared/integrity/backup-format/read-archive.js';
import { messageOf } from '../../../shared/kernel/errors.js';
import { PRIVATE_FILE } from '../../../shared/kernel/private-files.js';
import { CommandError } from '../host.js';

export type BackupRequest = {
  readonly file: string;
  /** The address of the service. */
  readonly url: string;
  readonly adminToken: string;
  readonly history: boolean;
  readonly signal: AbortSignal;
};

/** Throws CommandError; FILE.part is removed then. An older FILE stays until the new one is whole. */
export async function saveBackup({ file, url, adminToken, history, signal }: BackupRequest): Promise<ArchiveManifest> {
  const part = `${file}.part`;
  const address = `${url.endsWith('/') ? url.slice(0, -1) : url}/backup${history ? '?history=true' : ''}`;
  try {
    const response = await fetch(address, { headers: { 'x-admin-token': adminToken }, signal });
    if (!response.ok || response.body === null)
      throw new CommandError(`The service answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
    // Opened before the download begins: a stream that opens its file itself may create it after a failure removed it.
    const output = await open(part, 'w', PRIVATE_FILE);
    // fsync before the rename: a file that exists survives a power cut whole. The two declarations of a web stream
    // differ only in name.
    const body = Readable.fromWeb(response.body as ReadableStream);
    await pipeline(body, output.createWriteStream({ flush: true })).finally(() => output.close());
    const manifest = await verifyArchive(part);
    await rename(part, file);
    return manifest;
  } catch (error) {
    await rm(part, { force: true });
    throw error instanceof CommandError ? error : new CommandError(reasonOf(error), { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
    return 'The disk is full: make room, or save the backup elsewhere';
  if (error instanceof Error && 'syscall' in error) return `The file cannot be written: ${error.message}`;
  if (error instanceof ArchiveError) return error.message;
  const cause = error instanceof Error && error.cause !== undefined ? `: ${messageOf(error.cause)}` : '';
  return `The download failed: ${messageOf(error)}${cause}`;
}
