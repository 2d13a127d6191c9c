/**
 * Makes the entries of a backup in their order: the beginning, the parts, the manifest. It makes an entry when the
 * reader has taken the one before.
 */
import { createHash } from 'node:crypto';
import { type Clock, formatTimestamp } from '../../kernel/clock.js';
import type { CacheEntry } from '../../ports/embedder.js';
import { ArchiveError } from './archive-error.js';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_FORMAT_VERSION,
  type ArchiveBegin,
  type ArchiveEntry,
  type ArchiveManifest,
  BEGIN_ENTRY,
  ENTRIES_LIMIT,
  MANIFEST_ENTRY,
  PART_BYTES,
  PART_KINDS,
  type PartKind,
  partName,
} from './archive-format.js';
import { embeddingLine, readEmbeddings, readJournal, readStates } from './archive-pages.js';
import type { ArchiveSource } from './archive-source.js';

export type ArchiveRequest = {
  /** The parts `states` and `journal`. */
  readonly states: boolean;
  readonly embeddings: boolean;
  /** All events of the journal in place of those after P0. */
  readonly history: boolean;
};

export type EntryContent = { readonly name: string; readonly bytes: Buffer };

export type ArchiveOptions = {
  readonly source: ArchiveSource;
  readonly request: ArchiveRequest;
  readonly service: string;
  readonly clock: Clock;
};

export async function* archiveEntries(options: ArchiveOptions): AsyncGenerator<EntryContent> {
  const { source, request, clock } = options;
  const begin = await beginOf(options);
  const entries: ArchiveEntry[] = [];
  const counts: Record<PartKind, number> = { states: 0, journal: 0, embeddings: 0 };
  const vectors = describeVectors();

  /** Adds each entry to the list of the manifest. */
  function* listed(contents: Iterable<EntryContent>): Generator<EntryContent> {
    for (const content of contents) {
      if (entries.length === ENTRIES_LIMIT) throw new ArchiveError(`A backup has at most ${ENTRIES_LIMIT} parts`);
      entries.push(entryOf(content));
      yield content;
    }
  }
  async function* part(kind: PartKind, pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<EntryContent> {
    const parts = partsOf(kind);
    for await (const page of pages) {
      counts[kind] += page.length;
      yield* listed(parts.add(page));
    }
    yield* listed(parts.rest());
  }

  yield* listed([{ name: BEGIN_ENTRY, bytes: jsonBytes(begin) }]);
  if (request.states) yield* part('states', readStates(source, request));
  const p1 = await source.journal.head();
  if (request.states)
    yield* part('journal', readJournal(source, { after: request.history ? 0 : begin.p0, through: p1 }));
  if (request.embeddings) yield* part('embeddings', linesOf(readEmbeddings(source), vectors.add));
  const endedAt = formatTimestamp(clock.now());
  const manifest: ArchiveManifest = { ...begin, p1, endedAt, counts, ...vectors.description(), entries };
  yield { name: MANIFEST_ENTRY, bytes: jsonBytes(manifest) };
}

async function beginOf({ source, request, service, clock }: ArchiveOptions): Promise<ArchiveBegin> {
  const { id, head } = await source.identity.state();
  return {
    format: ARCHIVE_FORMAT,
    formatVersion: ARCHIVE_FORMAT_VERSION,
    service,
    journalId: id,
    p0: head,
    startedAt: formatTimestamp(clock.now()),
    parts: PART_KINDS.filter((kind) => (kind === 'embeddings' ? request.embeddings : request.states)),
    history: request.history && request.states,
  };
}

function partsOf(kind: PartKind) {
  let lines: Buffer[] = [];
  let size = 0;
  let number = 0;
  function* take(): Generator<EntryContent> {
    if (size === 0) return;
    number += 1;
    const bytes = Buffer.concat(lines);
    lines = [];
    size = 0;
    yield { name: partName(kind, number), bytes };
  }
  return {
    *add(page: readonly unknown[]): Generator<EntryContent> {
      for (const value of page) {
        const line = Buffer.from(`${JSON.stringify(value)}\n`);
        lines.push(line);
        size += line.length;
        if (size >= PART_BYTES) yield* take();
      }
    },
    rest: take,
  };
}

async function* linesOf(pages: AsyncIterable<readonly CacheEntry[]>, onEntry: (entry: CacheEntry) => void) {
  for await (const page of pages) {
    page.forEach(onEntry);
    yield page.map(embeddingLine);
  }
}

/** Collects what the manifest says about all vectors. */
function describeVectors() {
  const models = new Set<string>();
  let dimension: number | null = null;
  return {
    add: ({ ref, vector }: CacheEntry): void => {
      models.add(ref.slice(0, ref.lastIndexOf(':')));
      dimension ??= vector.length;
    },
    description: () => ({ models: [...models], dimension }),
  };
}

export function entryOf({ name, bytes }: EntryContent): ArchiveEntry {
  return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
