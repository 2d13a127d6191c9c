/** Writes one memory's rows: the narrow row, the body, the tag keys and the terms, each only where it changed. */
import type { RecordedEvent } from '../../contract/events.js';
import type { Memory } from '../../contract/memory.js';
import type { Database, SqlValue } from '../../sqlite/database.js';
import { analyze, ANALYZER_VERSION } from '../../text/analyzer.js';
import { deleteTags, putTags } from './put-tags.js';

/** What the row said before. The columns that are null in a deleted memory's row are read only of one that is present. */
export type MemoryRow = {
  readonly n: number;
  readonly version: number;
  readonly present: 0 | 1;
  readonly importance: number;
  readonly timestamp: string;
  readonly last_accessed: string;
  readonly analyzer_version: number;
};

type StateEvent = Extract<RecordedEvent, { type: 'memory.stored' | 'memory.updated' }>;

export function putMemory(database: Database, event: StateEvent, row: MemoryRow | undefined): void {
  if (event.data === null) return;
  const { memory, vectorRef, changed } = event.data;
  const before = row && bodyOf(database, row.n);
  const lastAccessed = row && !changed.includes('last_accessed') ? later(row.last_accessed, memory.last_accessed) : memory.last_accessed;
  const n = putRow(database, [
    memory.id, event.version, event.revision, memory.type, memory.importance, memory.timestamp, memory.updated_at, lastAccessed,
    memory.t_valid ?? null, memory.t_invalid ?? null, memory.archived === true ? 1 : 0, memory.enriched ? 1 : 0, vectorRef, ANALYZER_VERSION,
  ]);
  const { last_accessed: _, ...body } = memory;
  database.run('INSERT INTO memory_bodies (n, body) VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body', [n, JSON.stringify(body)]);

  const sameTags = before !== undefined && sameList(before.tags, memory.tags);
  // Importance and time are the order of a tag's members, so they are part of each member's row.
  const samePlace = row !== undefined && row.importance === memory.importance && row.timestamp === memory.timestamp;
  if (!sameTags || !samePlace) {
    if (row) deleteTags(database, { ...row, id: memory.id });
    putTags(database, n, memory);
  }
  const sameTerms = sameTags && before.content === memory.content && row?.analyzer_version === ANALYZER_VERSION;
  if (!sameTerms) putTerms(database, n, memory, row !== undefined);
}

/** The row keeps id and version, so that nothing raises the memory again; all else of it goes. */
export function buryMemory(database: Database, event: RecordedEvent, row: MemoryRow | undefined): void {
  if (row === undefined) {
    database.run('INSERT INTO memories (id, version, revision, present) VALUES (?, ?, ?, 0)', [event.subject, event.version, event.revision]);
    return;
  }
  database.run(BURY, [event.version, event.revision, row.n]);
  deleteTags(database, { ...row, id: event.subject });
  database.run('DELETE FROM memory_bodies WHERE n = ?', [row.n]);
  database.run('DELETE FROM memory_terms WHERE rowid = ?', [row.n]);
  database.run('DELETE FROM associations WHERE source = ?', [row.n]);
  database.run('DELETE FROM associations WHERE target = ?', [row.n]);
}

const BURY = `
UPDATE memories SET version = ?, revision = ?, present = 0, type = NULL, importance = NULL, timestamp = NULL, updated_at = NULL,
  last_accessed = NULL, t_valid = NULL, t_invalid = NULL, archived = NULL, enriched = NULL, vector_ref = NULL, analyzer_version = NULL
WHERE n = ?`;

const PUT_ROW = `
INSERT INTO memories (id, version, revision, present, type, importance, timestamp, updated_at, last_accessed, t_valid, t_invalid,
  archived, enriched, vector_ref, analyzer_version)
VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET version = excluded.version, revision = excluded.revision, type = excluded.type,
  importance = excluded.importance, timestamp = excluded.timestamp, updated_at = excluded.updated_at,
  last_accessed = excluded.last_accessed, t_valid = excluded.t_valid, t_invalid = excluded.t_invalid, archived = excluded.archived,
  enriched = excluded.enriched, vector_ref = excluded.vector_ref, analyzer_version = excluded.analyzer_version
RETURNING n`;

function putRow(database: Database, values: readonly SqlValue[]): number {
  return Number(database.get(PUT_ROW, values)?.['n']);
}

function putTerms(database: Database, n: number, memory: Memory, isKnown: boolean): void {
  if (isKnown) database.run('DELETE FROM memory_terms WHERE rowid = ?', [n]);
  database.run('INSERT INTO memory_terms (rowid, content, tags) VALUES (?, ?, ?)', [
    n, analyze(memory.content).join(' '), analyze(memory.tags.join('\n')).join(' '),
  ]);
}

function bodyOf(database: Database, n: number): Pick<Memory, 'content' | 'tags'> | undefined {
  const body = database.get('SELECT body FROM memory_bodies WHERE n = ?', [n])?.['body'];
  return typeof body === 'string' ? JSON.parse(body) as Memory : undefined;
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}
