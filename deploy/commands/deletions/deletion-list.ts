/**
 * The format of a list of deletions: one JSON object a line for each deleted memory, without any of its words, and a
 * last line by which a reader knows that the list is whole. Lists that follow one another may be joined to one file.
 */
import type { MemoryId, Timestamp } from '../../../shared/contract/memory.js';
import { isRecord } from '../../../shared/kernel/is-record.js';
import { parseMemoryId, parseUuid } from '../../../shared/kernel/memory-id.js';
import { parseTimestamp } from '../../../shared/kernel/timestamps.js';

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
