/**
 * Imitates a loss of power for the files of a killed process: takes back writes that no sync followed. Each 512-byte
 * sector keeps its new content or gets its old content, because a disk may have written any part of what was not
 * synced.
 */
import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../../fixtures/random.js';

export type LostWrites = {
  /** The files of the killed process. */
  readonly folder: string;
  /** The records of faulty-disk.c. They are removed. */
  readonly undoFolder: string;
  /** The share of unsynced sectors and sizes that reach the disk, from 0 to 1. */
  readonly keptShare: number;
  readonly random: Random;
};

type Record = { readonly offset: number; readonly length: number; readonly oldSize: number; readonly old: Buffer };

const SECTOR_BYTES = 512;
const HEADER_BYTES = 32;

/** Resolves with the number of sectors that lost a write. */
export async function undoUnsyncedWrites({ folder, undoFolder, ...choice }: LostWrites): Promise<number> {
  const files = await filesByKey(folder);
  let lost = 0;
  for (const key of (await readdir(undoFolder)).sort()) {
    const undo = join(undoFolder, key);
    const file = files.get(key);
    if (file !== undefined) lost += await undoInFile(file, recordsOf(await readFile(undo)), choice);
    await rm(undo);
  }
  return lost;
}

/** The key is the inode and the birth time, as in faulty-disk.c. */
async function filesByKey(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.map(async (file) => {
        const { ino, birthtimeNs } = await stat(file, { bigint: true });
        return [`${ino}-${birthtimeNs}`, file] as const;
      }),
    ),
  );
}

/** A process killed while it wrote a record leaves part of it at the end. The write itself did not happen. */
function recordsOf(bytes: Buffer): readonly Record[] {
  const records: Record[] = [];
  for (let at = 0; at + HEADER_BYTES <= bytes.length;) {
    const field = (index: number): number => Number(bytes.readBigUInt64LE(at + index * 8));
    const [offset, length, oldSize, oldBytes] = [field(0), field(1), field(2), field(3)];
    const begin = at + HEADER_BYTES;
    at = begin + oldBytes;
    if (at <= bytes.length) records.push({ offset, length, oldSize, old: bytes.subarray(begin, at) });
  }
  return records;
}

async function undoInFile(
  path: string,
  records: readonly Record[],
  { keptShare, random }: Pick<LostWrites, 'keptShare' | 'random'>,
): Promise<number> {
  const [first] = records;
  if (first === undefined) return 0;
  const isLost = new Map<number, boolean>();
  const loses = (sector: number): boolean => {
    const known = isLost.get(sector);
    if (known !== undefined) return known;
    const chosen = random.next() >= keptShare;
    isLost.set(sector, chosen);
    return chosen;
  };
  const file = await open(path, 'r+');
  try {
    for (const record of records.toReversed()) {
      for (const [from, to] of sectorsOf(record)) {
        if (loses(Math.floor(from / SECTOR_BYTES))) await file.write(oldContent(record, from, to), 0, to - from, from);
      }
    }
    if (random.next() >= keptShare) await file.truncate(first.oldSize);
  } finally {
    await file.close();
  }
  return [...isLost.values()].filter(Boolean).length;
}

/** The parts of the range, each inside one sector. */
function sectorsOf({ offset, length }: Record): readonly (readonly [from: number, to: number])[] {
  const parts: [number, number][] = [];
  for (let from = offset; from < offset + length;) {
    const to = Math.min(offset + length, (Math.floor(from / SECTOR_BYTES) + 1) * SECTOR_BYTES);
    parts.push([from, to]);
    from = to;
  }
  return parts;
}

/** Behind its old end a file reads as zeros. */
function oldContent({ offset, old }: Record, from: number, to: number): Buffer {
  return Buffer.concat([old.subarray(from - offset, to - offset)], to - from);
}
