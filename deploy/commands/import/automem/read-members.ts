/** Reads the members of a tar archive as streams, and the JSON in a member value by value. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { JSONParser } from '@streamparser/json';
import { extract } from 'tar-stream';
import { ArchiveError } from '../../../../shared/integrity/backup-format/archive-error.js';
import { messageOf } from '../../../../shared/kernel/errors.js';

export type Member = {
  readonly name: string;
  /** The contents, without the gzip of a member whose name ends in `.gz`. Valid until the next member is read. */
  readonly chunks: AsyncIterable<Uint8Array>;
};

const TAR_MAGIC_OFFSET = 257;

export type FileForm = 'gzip' | 'tar' | 'other';

/** Decides by the first bytes, not by the name. */
export async function formOf(file: string): Promise<FileForm> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0);
    if (bytesRead >= 2 && buffer.readUInt16BE(0) === 0x1f8b) return 'gzip';
    return buffer.toString('latin1', TAR_MAGIC_OFFSET, TAR_MAGIC_OFFSET + 5) === 'ustar' ? 'tar' : 'other';
  } finally {
    await handle.close();
  }
}

/** Throws ArchiveError for a file that is cut off or damaged. */
export async function* readMembers(file: string): AsyncGenerator<Member> {
  const members = extract();
  const source = createReadStream(file);
  const opened = (await formOf(file)) === 'gzip' ? createGunzip() : new PassThrough();
  void pipeline(source, opened, members).catch((error: unknown) => members.destroy(asError(error)));
  try {
    for await (const entry of members) {
      const { name } = entry.header;
      // The type of the package leaves the chunks open; they are bytes.
      const bytes = entry as AsyncIterable<Uint8Array>;
      yield { name, chunks: name.endsWith('.gz') ? unzipped(bytes) : bytes };
      entry.resume();
    }
  } catch (error) {
    throw translate(error, 'The archive');
  } finally {
    source.destroy();
  }
}

async function* unzipped(entry: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  void pipeline(entry, gunzip).catch((error: unknown) => gunzip.destroy(asError(error)));
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    throw translate(error, 'A part of the archive');
  }
}

const TRUNCATED = /unexpected end|premature close/iu;

/** The errors of zlib and of the tar reader become ours; the errors of the file system stay as they are. */
function translate(error: unknown, subject: string): unknown {
  if (error instanceof ArchiveError || (error instanceof Error && 'syscall' in error)) return error;
  const message = messageOf(error);
  if (TRUNCATED.test(message)) return new ArchiveError(`${subject} is cut off before its end`, { cause: error });
  return new ArchiveError(`${subject} is damaged, or is not a tar archive: ${message}`, { cause: error });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(messageOf(error));
}

export type FoundValue = { readonly list: string; readonly value: unknown };

/** No node, association or point is this large: a larger text is not part of an archive. */
export const VALUE_LIMIT_BYTES = 32 * 1024 * 1024;

/** `lists`: names at the top of the object, whose elements are found; `stats` is found as a whole. */
export async function* readValues(
  chunks: AsyncIterable<Uint8Array>,
  lists: readonly string[],
  limitBytes = VALUE_LIMIT_BYTES,
): AsyncGenerator<FoundValue> {
  const found: FoundValue[] = [];
  const parser = new JSONParser({ paths: [...lists.map((list) => `$.${list}.*`), '$.stats'], keepStack: false });
  parser.onValue = ({ value, key, stack }) => {
    const list = stack.length === 1 ? key : stack[1]?.key;
    found.push({ list: String(list), value });
  };
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    write(parser, chunk);
    if (found.length > 0) bytes = 0;
    if (bytes > limitBytes)
      throw new ArchiveError(`A part of the archive has a value of more than ${limitBytes} bytes`);
    yield* found.splice(0);
  }
  if (!parser.isEnded) throw new ArchiveError('The JSON in a part of the archive is cut off before its end');
}

function write(parser: JSONParser, chunk: Uint8Array): void {
  try {
    parser.write(chunk);
  } catch (error) {
    throw new ArchiveError(`A part of the archive is not JSON: ${messageOf(error).slice(0, 200)}`, { cause: error });
  }
}
