/** Writes the list of deletions into FILE.part and renames it: FILE exists only as a whole list. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { MEMORY_EVENTS } from '../../../shared/contract/events.js';
import type { MemoryId, Timestamp } from '../../../shared/contract/memory.js';
import { verifyArchive } from '../../../shared/integrity/backup-format/read-archive.js';
import { newestOf } from '../../../shared/integrity/comparison/compare-memories.js';
import { RuleError, ValidationError } from '../../../shared/kernel/errors.js';
import { isRecord } from '../../../shared/kernel/is-record.js';
import { parseMemoryId, parseUuid } from '../../../shared/kernel/memory-id.js';
import { PRIVATE_FILE } from '../../../shared/kernel/private-files.js';
import { parseTimestamp } from '../../../shared/kernel/timestamps.js';
import type { JournalReader } from '../../../shared/ports/journal.js';
import type { JournalIdentity, JournalState } from '../../../shared/ports/journal-identity.js';

export type DeletionSource = {
  readonly journal: Pick<JournalReader, 'read' | 'lastOf'>;
  readonly identity: Pick<JournalIdentity, 'state'>;
};

/** Where the list begins: after a position, or after the state of an archive. */
export type ListStart = { readonly since: number } | { readonly archive: string };

export async function saveDeletions(
  { journal, identity }: DeletionSource,
  { file, start, signal }: { readonly file: string; readonly start: ListStart; readonly signal: AbortSignal },
): Promise<Omit<ListEnd, 'kind'>> {
  const state = await identity.state();
  const since = 'since' in start ? start.since : await endOf(start.archive, state);
  if (since > state.head)
    throw new ValidationError(
      `--since is ${since}, beyond the journal's last position ${state.head}: leave it out, then the list has all deletions`,
    );
  const end = { deletions: 0, journal: state.id, since, through: state.head };
  async function* lines(): AsyncGenerator<string> {
    for await (const page of findDeletions(journal, { since, through: state.head, signal })) {
      end.deletions += page.length;
      yield page.map(deletionLine).join('');
    }
    yield endLine(end);
  }
  const part = `${file}.part`;
  try {
    await pipeline(lines(), createWriteStream(part, { flush: true, mode: PRIVATE_FILE }));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return end;
}

/** The position of an archive's state. Positions of another journal cannot be compared. */
async function endOf(archive: string, { id }: JournalState): Promise<number> {
  const { journalId, p1 } = await verifyArchive(archive);
  if (journalId !== id)
    throw new RuleError(
      `${archive} is of journal ${journalId}, and this is journal ${id}: leave --after out, then the list has all deletions`,
    );
  return p1;
}

/** Deletions in one page; `lastOf` accepts no more subjects. */
const PAGE = 1_000;
/** Positions that one read covers: deletions may be rare, and each read is short. */
const WINDOW = 50_000;

/** Memories that are still deleted. One that was deleted twice has its last deletion alone. */
export async function* findDeletions(
  journal: Pick<JournalReader, 'read' | 'lastOf'>,
  { since, through, signal }: { readonly since: number; readonly through: number; readonly signal: AbortSignal },
): AsyncGenerator<readonly Omit<Deletion, 'kind'>[]> {
  for (let after = since; after < through;) {
    signal.throwIfAborted();
    const end = Math.min(after + WINDOW, through);
    const page = await journal.read({ after, through: end, limit: PAGE, types: ['memory.deleted'] });
    if (page.length > 0) {
      const subjects = [...new Set(page.map(({ subject }) => subject))];
      const newest = newestOf(await journal.lastOf({ subjects, types: MEMORY_EVENTS }));
      yield page
        .filter(({ subject, position }) => newest.get(subject)?.position === position)
        .map(({ subject, time, position }) => ({ id: subject as MemoryId, deletedAt: time, position }));
    }
    after = page.length < PAGE ? end : (page.at(-1)?.position ?? end);
  }
}

export type Deletion = {
  readonly kind: 'deletion';
  readonly id: MemoryId;
  readonly deletedAt: Timestamp;
  /** Of the deletion in the journal. */
  readonly position: number;
};

export type ListEnd = {
  readonly kind: 'end';
  /** The lines of this list before the last one. */
  readonly deletions: number;
  /** The identity of the journal that the positions belong to. */
  readonly journal: string;
  /** The list has the deletions after `since` and up to `through`. */
  readonly since: number;
  readonly through: number;
};

export function deletionLine({ id, deletedAt, position }: Omit<Deletion, 'kind'>): string {
  return `${JSON.stringify({ id, deleted_at: deletedAt, position })}\n`;
}

export function endLine({ deletions, journal, since, through }: Omit<ListEnd, 'kind'>): string {
  return `${JSON.stringify({ deletions, journal, since, through })}\n`;
}

/** A text result is the reason why the line cannot be read. */
export function parseLine(text: string): Deletion | ListEnd | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (!isRecord(value)) return 'it is not a JSON object';
  return 'deletions' in value ? parseEnd(value) : parseDeletion(value);
}

function parseDeletion({ id, deleted_at, position }: Readonly<Record<string, unknown>>): Deletion | string {
  const memoryId = typeof id === 'string' ? parseMemoryId(id) : null;
  if (memoryId === null) return "'id' is not the id of a memory";
  const deletedAt = typeof deleted_at === 'string' ? parseTimestamp(deleted_at) : null;
  if (deletedAt === null) return "'deleted_at' is not a time";
  if (!isPosition(position)) return "'position' is not a whole number from 0";
  return { kind: 'deletion', id: memoryId, deletedAt, position };
}

function parseEnd({ deletions, journal, since, through }: Readonly<Record<string, unknown>>): ListEnd | string {
  const journalId = typeof journal === 'string' ? parseUuid(journal) : null;
  if (journalId === null) return "'journal' is not the identity of a journal";
  if (!isPosition(deletions) || !isPosition(since) || !isPosition(through))
    return "'deletions', 'since' and 'through' are not all whole numbers from 0";
  return { kind: 'end', deletions, journal: journalId, since, through };
}

function isPosition(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
