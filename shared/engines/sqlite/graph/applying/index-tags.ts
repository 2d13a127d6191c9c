/**
 * Indexes the tags of a memory: `memory_tags` holds its keys, and `tag_order` its whole tags in the order of by-tag
 * replies.
 */
import type { Memory } from '../../../../contract/memory.js';
import type { Database, SqlRow } from '../../threads/database.js';
import { type TagKey, tagKeys, WHOLE_TAG } from '../schema/tag-keys.js';

const REMOVE_FROM_ORDER = 'DELETE FROM tag_order WHERE key = ? AND importance = ? AND timestamp = ? AND id = ?';

/** `before` and `oldTags` are the memory's row and tags before this change, null when it was absent. */
export function indexTags(
  database: Database,
  {
    n,
    memory,
    before,
    oldTags,
    hasSameTags,
  }: {
    readonly n: number;
    readonly memory: Memory;
    readonly before: SqlRow | null;
    readonly oldTags: readonly string[] | null;
    readonly hasSameTags: boolean;
  },
): void {
  const hasSameRank = before?.['importance'] === memory.importance && before['timestamp'] === memory.timestamp;
  if (hasSameTags && hasSameRank) return;
  const keys = tagKeys(memory.tags);
  // Enrichment adds a few tags to many, so rows that stay the same are not written again.
  const known = oldTags !== null && hasSameRank ? tagKeys(oldTags) : [];
  if (before && !hasSameRank) removeTags(database, { n, id: memory.id, row: before });
  for (const tag of without(known, keys)) removeTag(database, { n, memory, tag });
  for (const tag of without(keys, known)) addTag(database, { n, memory, tag });
}

/** `row` has the importance and timestamp that the tags were indexed with. */
export function removeTags(
  database: Database,
  { n, id, row }: { readonly n: number; readonly id: string; readonly row: SqlRow },
): void {
  const rank = [row['importance'] ?? null, row['timestamp'] ?? null, id];
  const keys = database.all(`SELECT key FROM memory_tags WHERE n = ? AND kind = ${WHOLE_TAG}`, [n]);
  for (const { key } of keys) database.run(REMOVE_FROM_ORDER, [key ?? null, ...rank]);
  database.run('DELETE FROM memory_tags WHERE n = ?', [n]);
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

function removeTag(database: Database, { n, memory: { id, importance, timestamp }, tag: { kind, key } }: Tagged): void {
  if (kind === WHOLE_TAG) database.run(REMOVE_FROM_ORDER, [key, importance, timestamp, id]);
  database.run('DELETE FROM memory_tags WHERE n = ? AND kind = ? AND key = ?', [n, kind, key]);
}

function without(keys: readonly TagKey[], others: readonly TagKey[]): readonly TagKey[] {
  const known = new Set(others.map(({ kind, key }) => kind + key));
  return keys.filter(({ kind, key }) => !known.has(kind + key));
}
