/** Reads a backup from a file: first the whole archive with its hashes, then again the lines of its parts. */
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { messageOf } from '../../kernel/errors.js';
import { isRecord } from '../../kernel/is-record.js';
import { type EntryContent, entryOf } from './archive-entries.js';
import { ArchiveError } from './archive-error.js';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_FORMAT_VERSION,
  type ArchiveEntry,
  type ArchiveManifest,
  BEGIN_ENTRY,
  ENTRIES_LIMIT,
  ENTRY_LIMIT_BYTES,
  kindOfPart,
  MANIFEST_ENTRY,
  type PartKind,
} from './archive-format.js';

/** Reads every byte. Returns the manifest of a whole archive; throws ArchiveError for any other file. */
export async function verifyArchive(file: string): Promise<ArchiveManifest> {
  const found: ArchiveEntry[] = [];
  let manifest: ArchiveManifest | null = null;
  for await (const entry of readEntries(file)) {
    if (found.length === 0) requireFormat(entry);
    if (manifest !== null) throw new ArchiveError(`${entry.name} follows the manifest: the archive was changed`);
    if (found.length > ENTRIES_LIMIT) throw new ArchiveError(`The archive has more than ${ENTRIES_LIMIT} entries`);
    if (entry.name === MANIFEST_ENTRY) manifest = parseManifest(entry);
    else found.push(entryOf(entry));
  }
  if (manifest === null)
    throw new ArchiveError(`The archive has no ${MANIFEST_ENTRY}: it is not whole. Make a new backup`);
  compareEntries(manifest.entries, found);
  return manifest;
}

/** The lines of the parts of one kind, parsed, one part at a time. */
export async function* readParts(file: string, kinds: readonly PartKind[]): AsyncGenerator<PartContent> {
  for await (const { name, bytes } of readEntries(file)) {
    const kind = kindOfPart(name);
    if (kind === null || !kinds.includes(kind)) continue;
    const lines = bytes.toString('utf8').split('\n').slice(0, -1);
    yield { kind, values: lines.map((line) => JSON.parse(line) as unknown) };
  }
}

export type PartContent = { readonly kind: PartKind; readonly values: readonly unknown[] };

async function* readEntries(file: string): AsyncGenerator<EntryContent> {
  const tar = extract();
  const piped = pipeline(createReadStream(file), createGunzip(), tar);
  piped.catch(() => undefined /* reported by the loop */);
  try {
    for await (const entry of tar) {
      const chunks: Buffer[] = [];
      const size = entry.header.size ?? 0;
      if (size > ENTRY_LIMIT_BYTES)
        throw new ArchiveError(`${entry.header.name} has ${size} bytes, more than any entry of a backup`);
      for await (const chunk of entry) chunks.push(chunk as Buffer);
      yield { name: entry.header.name, bytes: Buffer.concat(chunks) };
    }
    await piped;
  } catch (error) {
    if (error instanceof ArchiveError || isFileError(error)) throw error;
    throw new ArchiveError(`The file is not a complete tar.gz: ${messageOf(error)}`, { cause: error });
  } finally {
    tar.destroy();
  }
}

/** Errors of the file system name a system call; errors of zlib do not. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function requireFormat({ name, bytes }: EntryContent): void {
  const begin = name === BEGIN_ENTRY ? parseJson(bytes) : null;
  if (!isRecord(begin) || begin['format'] !== ARCHIVE_FORMAT)
    throw new ArchiveError(`The archive is not a backup of this service: it begins with ${name}`);
  if (begin['formatVersion'] !== ARCHIVE_FORMAT_VERSION)
    throw new ArchiveError(
      `The archive has format ${String(begin['formatVersion'])}, this release reads format ${ARCHIVE_FORMAT_VERSION}: use the release that wrote it`,
    );
}

/** The cast is safe: the hashes of the entries are compared next, and a manifest of this format has these fields. */
function parseManifest({ bytes }: EntryContent): ArchiveManifest {
  const value = parseJson(bytes);
  if (!isRecord(value) || !Array.isArray(value['entries']) || !isRecord(value['counts']))
    throw new ArchiveError(`${MANIFEST_ENTRY} cannot be read: the archive was changed`);
  return value as ArchiveManifest;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null; // the caller reports what is missing
  }
}

function compareEntries(expected: readonly ArchiveEntry[], found: readonly ArchiveEntry[]): void {
  if (expected.length !== found.length)
    throw new ArchiveError(`The archive has ${found.length} entries, its manifest ${expected.length}`);
  expected.forEach(({ name, bytes, sha256 }, index) => {
    const entry = found[index];
    if (entry?.name !== name || entry.bytes !== bytes || entry.sha256 !== sha256)
      throw new ArchiveError(`${entry?.name ?? name} differs from the manifest: the archive was changed or damaged`);
  });
}
