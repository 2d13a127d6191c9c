/**
 * The format of a backup: the entries of its tar.gz, their order and their limits. The writer and the reader share it.
 */

export const ARCHIVE_FORMAT = 'palimpsest-backup';
/** Raised with each change that an older release cannot read. */
export const ARCHIVE_FORMAT_VERSION = 1;

export const BEGIN_ENTRY = 'manifest-begin.json';
/** The last entry. An archive without it is not whole. */
export const MANIFEST_ENTRY = 'manifest.json';

/** The kinds of parts. Each line of a part is one JSON value: a recorded event, or an `EmbeddingLine`. */
export const PART_KINDS = ['states', 'journal', 'embeddings'] as const;
export type PartKind = (typeof PART_KINDS)[number];

/** A part ends with the line that reaches this size, so a process holds about one part and one page in memory. */
export const PART_BYTES = 4 * 1024 * 1024;
/** Rows that one read of a database returns. */
export const PAGE_ROWS = 200;
/**
 * No entry is as large: a part has PART_BYTES and one event at most, and ENTRIES_LIMIT bounds the manifest. A larger
 * entry is refused.
 */
export const ENTRY_LIMIT_BYTES = 32 * 1024 * 1024;
/** Entries of one archive at most, so that its manifest has a bounded size. */
export const ENTRIES_LIMIT = 100_000;

export type ArchiveBegin = {
  readonly format: typeof ARCHIVE_FORMAT;
  readonly formatVersion: number;
  /** The version of the service that wrote the archive. */
  readonly service: string;
  readonly journalId: string;
  /** The head of the journal before the first state was read. */
  readonly p0: number;
  readonly startedAt: string;
  readonly parts: readonly PartKind[];
  /** True when the archive has all events of the journal, not only the last ones. */
  readonly history: boolean;
};

export type ArchiveEntry = { readonly name: string; readonly bytes: number; readonly sha256: string };

export type ArchiveManifest = ArchiveBegin & {
  /** The head of the journal after the last state was read: the state of the archive is the state at this position. */
  readonly p1: number;
  readonly endedAt: string;
  /** The numbers of lines. */
  readonly counts: Readonly<Record<PartKind, number>>;
  /** The models of the embeddings, and the length of their vectors; null without embeddings. */
  readonly models: readonly string[];
  readonly dimension: number | null;
  /** Every entry before this one, in order. */
  readonly entries: readonly ArchiveEntry[];
};

/** `vector`: the bytes of a Float32Array in the order of little endian, in base64. */
export type EmbeddingLine = { readonly ref: string; readonly memoryId: string; readonly vector: string };

export function partName(kind: PartKind, number: number): string {
  return `${kind}-${String(number).padStart(5, '0')}.jsonl`;
}

/** Null for an entry that is not a part. */
export function kindOfPart(name: string): PartKind | null {
  return PART_KINDS.find((kind) => new RegExp(`^${kind}-\\d{5,}\\.jsonl$`, 'u').test(name)) ?? null;
}
