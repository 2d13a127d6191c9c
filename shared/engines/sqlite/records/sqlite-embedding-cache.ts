/** Writes the embedding cache in SQLite. The committer writes supplied vectors in the transaction of their events. */
import type { MemoryId } from '../../../contract/memory.js';
import type { CacheEntry, EmbeddingUse } from '../../../ports/embedder.js';
import type { Database } from '../threads/database.js';
import { procedure } from '../threads/host.js';

type Put = { readonly entries: readonly CacheEntry[]; readonly replace: boolean };

export const putEntries = procedure(import.meta.url, 'putEntries', (database, { entries, replace }: Put): void => {
  for (const entry of entries) putEntry(database, entry, replace);
});

export const releaseMemories = procedure(
  import.meta.url,
  'releaseMemories',
  (database, memoryIds: readonly MemoryId[]): void => {
    for (const memoryId of memoryIds) releaseMemory(database, memoryId);
  },
);

/** Keeps a vector that the reference has already, unless `replace`. Leaves out the entry of a deleted memory. */
export function putEntry(database: Database, { ref, memoryId, vector }: CacheEntry, replace = false): void {
  if (database.get('SELECT 1 FROM subjects WHERE subject = ? AND present = 0', [memoryId])) return;
  const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  database.run(
    `INSERT INTO embedding_cache (ref, vector) VALUES (?, ?)
     ON CONFLICT (ref) DO ${replace ? 'UPDATE SET vector = excluded.vector' : 'NOTHING'}`,
    [ref, bytes],
  );
  database.run(
    `INSERT INTO embedding_uses (memory_id, ref) VALUES (?, ?)
     ON CONFLICT (memory_id, ref) DO UPDATE SET unused_since = NULL WHERE unused_since IS NOT NULL`,
    [memoryId, ref],
  );
}

/** Drops the vectors that no other memory uses. */
export function releaseMemory(database: Database, memoryId: MemoryId): void {
  const uses = database.all('DELETE FROM embedding_uses WHERE memory_id = ? RETURNING ref', [memoryId]);
  for (const { ref } of uses) dropUnused(database, String(ref));
}

type Mark = { readonly uses: readonly EmbeddingUse[]; readonly since: number | null };

export const markUses = procedure(import.meta.url, 'markUses', (database, { uses, since }: Mark): void => {
  for (const { memoryId, ref } of uses)
    database.run('UPDATE embedding_uses SET unused_since = ? WHERE memory_id = ? AND ref = ?', [since, memoryId, ref]);
});

export const removeUses = procedure(import.meta.url, 'removeUses', (database, uses: readonly EmbeddingUse[]): void => {
  for (const { memoryId, ref } of uses) {
    const marked = 'memory_id = ? AND ref = ? AND unused_since IS NOT NULL';
    database.run(`DELETE FROM embedding_uses WHERE ${marked}`, [memoryId, ref]);
    dropUnused(database, ref);
  }
});

function dropUnused(database: Database, ref: string): void {
  database.run(
    'DELETE FROM embedding_cache WHERE ref = ?1 AND NOT EXISTS (SELECT 1 FROM embedding_uses WHERE ref = ?1)',
    [ref],
  );
}
