/** Writes or deletes one memory: its row, body, words, tags and searched metadata, and the counts by type. */
import type { MemoryState } from '../../../../contract/events.js';
import type { Memory } from '../../../../contract/memory.js';
import { ANALYZER_VERSION } from '../../../../text/analyzer.js';
import type { Database, SqlRow, SqlValue } from '../../threads/database.js';
import { deleteAssociations } from './delete-associations.js';
import { indexMetadata, removeMetadata } from './index-metadata.js';
import { indexTags, removeTags } from './index-tags.js';
import { indexFeatures, indexWords, removeWords } from './index-words.js';

type Versioned = { readonly version: number; readonly revision: number };

const COLUMNS = [
  'version',
  'revision',
  'present',
  'type',
  'importance',
  'timestamp',
  'updated_at',
  'last_accessed',
  't_valid',
  't_invalid',
  'archived',
  'enriched',
  'vector_ref',
  'analyzer_version',
  'position',
] as const;
const FIND = `SELECT n, ${COLUMNS.join(', ')} FROM memories WHERE id = ?`;
const INSERT = `INSERT INTO memories (id, ${COLUMNS.join(', ')}) VALUES (?${', ?'.repeat(COLUMNS.length)})`;

export type MemoryUpsert = MemoryState &
  Versioned & {
    readonly changed: readonly string[];
    /** Of a stored event; null for a later one, which keeps it. */
    readonly position: number | null;
    /** A stored event: it also replaces an older tombstone. */
    readonly isStored: boolean;
  };

export function upsertMemory(database: Database, state: MemoryUpsert): void {
  const { memory } = state;
  const row = database.get(FIND, [memory.id]);
  if (row && (Number(row['version']) >= state.version || (isDeleted(row) && !state.isStored))) return;
  const before = row?.['present'] === 1 ? row : null;
  const lastAccessed = latestAccess(before, state);
  const values = [...columnValues(state, lastAccessed), state.position ?? row?.['position'] ?? null];
  const n = row ? Number(row['n']) : database.run(INSERT, [memory.id, ...values]).lastInsertRowid;
  if (row) update(database, row, values);
  indexTexts(database, { n, memory, before });
  indexMetadata(database, { n, memory, before });
  writeBody(database, n, memory);
  if (before && before['type'] === memory.type && before['enriched'] === Number(memory.enriched)) return;
  if (before) countMemory(database, { type: String(before['type']), enriched: before['enriched'] === 1 }, -1);
  countMemory(database, memory, 1);
}

/** Keeps id, version and revision as a tombstone, so that a late event cannot restore the memory. */
export function deleteMemory(database: Database, { id, version, revision }: Versioned & { readonly id: string }): void {
  const row = database.get(FIND, [id]);
  if (row && Number(row['version']) >= version) return;
  const tombstone: SqlValue[] = [version, revision, 0, ...COLUMNS.slice(3).map(() => null)];
  if (!row) return void database.run(INSERT, [id, ...tombstone]);
  update(database, row, tombstone);
  const n = Number(row['n']);
  deleteAssociations(database, n);
  if (row['present'] !== 1) return;
  database.run('DELETE FROM memory_bodies WHERE n = ?', [n]);
  removeWords(database, n);
  removeTags(database, { n, id, row });
  removeMetadata(database, { n, id, row });
  countMemory(database, { type: String(row['type']), enriched: row['enriched'] === 1 }, -1);
}

/**
 * Sets only columns that differ: SQLite rewrites every index over a column that is set, even when its value stays the
 * same.
 */
function update(database: Database, row: SqlRow, values: readonly SqlValue[]): void {
  const differing = COLUMNS.flatMap((column, at) =>
    row[column] === values[at] ? [] : [{ column, value: values[at] ?? null }],
  );
  if (differing.length === 0) return;
  const settings = differing.map(({ column }) => `${column} = ?`).join(', ');
  database.run(`UPDATE memories SET ${settings} WHERE n = ?`, [
    ...differing.map(({ value }) => value),
    row['n'] ?? null,
  ]);
}

/** A row of version 0 is a placeholder for a memory whose events are still to come. */
function isDeleted(row: SqlRow): boolean {
  return row['present'] === 0 && row['version'] !== 0;
}

/**
 * An access may be recorded after the load of the decision, so the later time wins, unless the command itself changed
 * `last_accessed`.
 */
function latestAccess(
  before: SqlRow | null,
  { memory, changed }: MemoryState & { readonly changed: readonly string[] },
): string {
  const known = before?.['last_accessed'];
  return typeof known === 'string' && known > memory.last_accessed && !changed.includes('last_accessed')
    ? known
    : memory.last_accessed;
}

function columnValues(
  { memory, vectorRef, version, revision }: MemoryState & Versioned,
  lastAccessed: string,
): SqlValue[] {
  return [
    version,
    revision,
    1,
    memory.type,
    memory.importance,
    memory.timestamp,
    memory.updated_at,
    lastAccessed,
    memory.t_valid ?? null,
    memory.t_invalid ?? null,
    Number(memory.archived ?? false),
    Number(memory.enriched),
    vectorRef,
    ANALYZER_VERSION,
  ];
}

/**
 * Words depend on content and tags; the tag rows on tags, importance and timestamp. Unchanged parts are not written
 * again.
 */
function indexTexts(
  database: Database,
  { n, memory, before }: { readonly n: number; readonly memory: Memory; readonly before: SqlRow | null },
): void {
  const old = before ? bodyOf(database, n) : null;
  const hasSameTags = old !== null && JSON.stringify(old.tags) === JSON.stringify(memory.tags);
  if (!hasSameTags || old.content !== memory.content) indexWords(database, n, memory);
  else if (before) indexFeatures(database, before, memory);
  indexTags(database, { n, memory, before, oldTags: old?.tags ?? null, hasSameTags });
}

function writeBody(database: Database, n: number, memory: Memory): void {
  const { last_accessed: _telemetry, ...body } = memory;
  database.run('INSERT OR REPLACE INTO memory_bodies (n, body) VALUES (?, ?)', [n, JSON.stringify(body)]);
}

type Worded = Pick<Memory, 'content' | 'tags'>;

function bodyOf(database: Database, n: number): Worded | null {
  const row = database.get('SELECT body FROM memory_bodies WHERE n = ?', [n]);
  return row ? (JSON.parse(String(row['body'])) as Worded) : null;
}

const ADD_TO_COUNTS = `INSERT INTO memory_counts (type, memories, unenriched) VALUES (?1, ?2, ?3)
  ON CONFLICT (type) DO UPDATE SET memories = memories + ?2, unenriched = unenriched + ?3`;

function countMemory(
  database: Database,
  memory: { readonly type: string; readonly enriched: boolean },
  by: 1 | -1,
): void {
  database.run(ADD_TO_COUNTS, [memory.type, by, memory.enriched ? 0 : by]);
}
