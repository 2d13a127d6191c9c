/** The memory side of applying events: the row, its search terms, its tag keys and the counts. */
import type { MemoryState } from '../../contract/events.js';
import type { Memory } from '../../contract/memory.js';
import type { Database, SqlRow, SqlValue } from '../../sqlite/database.js';
import { ANALYZER_VERSION } from '../../text/analyzer.js';
import { forgetAssociations } from './apply-association.js';
import { countMemory } from './count-memories.js';
import { forgetMetadata, indexMetadata } from './index-metadata.js';
import { forgetWords, keepWords } from './keep-words.js';
import { tagKeys, WHOLE_TAG, type TagKey } from './tag-keys.js';

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
] as const;
const FIND = `SELECT n, ${COLUMNS.join(', ')} FROM memories WHERE id = ?`;
const INSERT = `INSERT INTO memories (id, ${COLUMNS.join(', ')}) VALUES (?${', ?'.repeat(COLUMNS.length)})`;
const FORGET_PLACE = 'DELETE FROM tag_order WHERE key = ? AND importance = ? AND timestamp = ? AND id = ?';

export function showMemory(
  database: Database,
  state: MemoryState & Versioned & { readonly changed: readonly string[] },
): void {
  const { memory } = state;
  const row = database.get(FIND, [memory.id]);
  if (row && (Number(row['version']) >= state.version || isDeleted(row))) return;
  const before = row?.['present'] === 1 ? row : null;
  const lastAccessed = laterAccess(before, state);
  const values = columnValues(state, lastAccessed);
  const n = row ? Number(row['n']) : database.run(INSERT, [memory.id, ...values]).lastInsertRowid;
  if (row) update(database, row, values);
  index(database, { n, memory, before });
  indexMetadata(database, { n, memory, before });
  writeBody(database, n, memory);
  if (before && before['type'] === memory.type && before['enriched'] === Number(memory.enriched)) return;
  if (before) countMemory(database, { type: String(before['type']), enriched: before['enriched'] === 1 }, -1);
  countMemory(database, memory, 1);
}

/** Leaves id, version and revision, so that no late event raises the memory again. */
export function forgetMemory(database: Database, { id, version, revision }: Versioned & { readonly id: string }): void {
  const row = database.get(FIND, [id]);
  if (row && Number(row['version']) >= version) return;
  const gone: SqlValue[] = [version, revision, 0, ...COLUMNS.slice(3).map(() => null)];
  if (!row) return void database.run(INSERT, [id, ...gone]);
  update(database, row, gone);
  const n = Number(row['n']);
  forgetAssociations(database, n);
  if (row['present'] !== 1) return;
  database.run('DELETE FROM memory_bodies WHERE n = ?', [n]);
  forgetWords(database, n);
  forgetTags(database, { n, id, row });
  forgetMetadata(database, { n, id, row });
  countMemory(database, { type: String(row['type']), enriched: row['enriched'] === 1 }, -1);
}

/** Names what differs alone: every index over a column that is set is written anew, also where the value stays. */
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

/** Version 0 only holds a place. */
function isDeleted(row: SqlRow): boolean {
  return row['present'] === 0 && row['version'] !== 0;
}

/** A touch may have come after the decision was loaded; only a caller who names `last_accessed` sets it back. */
function laterAccess(
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

/** The words follow content and tags; the tag rows tags, and importance and timestamp, which are their order. */
function index(
  database: Database,
  { n, memory, before }: { readonly n: number; readonly memory: Memory; readonly before: SqlRow | null },
): void {
  const old = before ? bodyOf(database, n) : null;
  const hasSameTags = old !== null && JSON.stringify(old.tags) === JSON.stringify(memory.tags);
  const keys = tagKeys(memory.tags);
  if (old === null || !hasSameTags || old.content !== memory.content) keepWords(database, n, memory);
  const hasSamePlace = before?.['importance'] === memory.importance && before['timestamp'] === memory.timestamp;
  if (hasSameTags && hasSamePlace) return;
  // Enrichment adds a few tags to many: those that stand where they stood are left alone.
  const known = old !== null && hasSamePlace ? tagKeys(old.tags) : [];
  if (before && !hasSamePlace) forgetTags(database, { n, id: memory.id, row: before });
  for (const tag of without(known, keys)) forgetTag(database, { n, memory, tag });
  for (const tag of without(keys, known)) addTag(database, { n, memory, tag });
}

type Tagged = {
  readonly n: number;
  readonly memory: Pick<Memory, 'id' | 'importance' | 'timestamp'>;
  readonly tag: TagKey;
};

function addTag(database: Database, { n, memory: { id, importance, timestamp }, tag: { kind, key } }: Tagged): void {
  if (kind === WHOLE_TAG)
    database.run('INSERT INTO tag_order VALUES (?, ?, ?, ?, ?)', [key, importance, timestamp, id, n]);
  database.run('INSERT INTO memory_tags VALUES (?, ?, ?)', [n, kind, key]);
}

function forgetTag(database: Database, { n, memory: { id, importance, timestamp }, tag: { kind, key } }: Tagged): void {
  if (kind === WHOLE_TAG) database.run(FORGET_PLACE, [key, importance, timestamp, id]);
  database.run('DELETE FROM memory_tags WHERE n = ? AND kind = ? AND key = ?', [n, kind, key]);
}

function without(keys: readonly TagKey[], others: readonly TagKey[]): readonly TagKey[] {
  const known = new Set(others.map(({ kind, key }) => kind + key));
  return keys.filter(({ kind, key }) => !known.has(kind + key));
}

function forgetTags(
  database: Database,
  { n, id, row }: { readonly n: number; readonly id: string; readonly row: SqlRow },
): void {
  const place = [row['importance'] ?? null, row['timestamp'] ?? null, id];
  const keys = database.all(`SELECT key FROM memory_tags WHERE n = ? AND kind = ${WHOLE_TAG}`, [n]);
  for (const { key } of keys) database.run(FORGET_PLACE, [key ?? null, ...place]);
  database.run('DELETE FROM memory_tags WHERE n = ?', [n]);
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
