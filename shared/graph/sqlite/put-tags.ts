/** Writes and removes the tag keys of one memory. */
import type { Memory } from '../../contract/memory.js';
import type { Database } from '../../sqlite/database.js';
import { tagPrefixes, wholeTagKey } from '../../text/tags.js';

export type TagKey = { readonly kind: 'whole' | 'prefix'; readonly key: string };

/** Every key under which these tags are found. */
export function tagKeys(tags: readonly string[]): TagKey[] {
  const whole = new Set(tags.map(wholeTagKey));
  return [
    ...[...whole].map((key) => ({ kind: 'whole', key }) as const),
    ...tagPrefixes(tags).map((key) => ({ kind: 'prefix', key }) as const),
  ];
}

export function putTags(database: Database, n: number, { id, tags, importance, timestamp }: Memory): void {
  for (const { kind, key } of tagKeys(tags)) {
    database.run('INSERT INTO tag_members (kind, key, importance, timestamp, id, n) VALUES (?, ?, ?, ?, ?, ?)', [kind, key, importance, timestamp, id, n]);
    database.run('INSERT INTO tag_keys (n, kind, key) VALUES (?, ?, ?)', [n, kind, key]);
  }
}

/** `place`: where the members were put, which is what the memory's row said then. */
export function deleteTags(database: Database, place: { readonly n: number; readonly id: string; readonly importance: number; readonly timestamp: string }): void {
  for (const { kind, key } of database.all('SELECT kind, key FROM tag_keys WHERE n = ?', [place.n]) as TagKey[]) {
    database.run('DELETE FROM tag_members WHERE kind = ? AND key = ? AND importance = ? AND timestamp = ? AND id = ?', [
      kind, key, place.importance, place.timestamp, place.id,
    ]);
  }
  database.run('DELETE FROM tag_keys WHERE n = ?', [place.n]);
}
