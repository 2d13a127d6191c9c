/** The embedding cache in SQLite. The functions that take a Database run inside a transaction of the committer, too. */
import type { MemoryId } from '../../../contract/memory.js';
import type { CacheEntry, EmbeddingCache } from '../../../ports/embedder.js';
import type { Database } from '../threads/database.js';
import { procedure, type SqliteHost } from '../threads/host.js';

export function createSqliteEmbeddingCache({ host }: { readonly host: SqliteHost }): EmbeddingCache {
  return {
    get: (refs) => host.read(getEntries, refs),
    put: async (entries, { replace = false } = {}) => {
      if (entries.length > 0) await host.write(replace ? replaceEntries : putEntries, entries);
    },
    release: async (memoryIds) => {
      if (memoryIds.length > 0) await host.write(releaseMemories, memoryIds);
    },
  };
}

export const getEntries = procedure(
  import.meta.url,
  'getEntries',
  (database, refs: readonly string[]): Map<string, Float32Array> => {
    const found = new Map<string, Float32Array>();
    for (const ref of refs) {
      const vector = getEntry(database, ref);
      if (vector) found.set(ref, vector);
    }
    return found;
  },
);

export const putEntries = procedure(import.meta.url, 'putEntries', (database, entries: readonly CacheEntry[]): void => {
  for (const entry of entries) putEntry(database, entry);
});

export const replaceEntries = procedure(
  import.meta.url,
  'replaceEntries',
  (database, entries: readonly CacheEntry[]): void => {
    for (const entry of entries) {
      putEntry(database, entry);
      database.run('UPDATE embedding_cache SET vector = ? WHERE ref = ?', [bytesOf(entry.vector), entry.ref]);
    }
  },
);

export const releaseMemories = procedure(
  import.meta.url,
  'releaseMemories',
  (database, memoryIds: readonly MemoryId[]): void => {
    for (const memoryId of memoryIds) releaseMemory(database, memoryId);
  },
);

/** Also called by the committer, which writes supplied vectors in the transaction of their events. */
export function putEntry(database: Database, { ref, memoryId, vector }: CacheEntry): void {
  database.run('INSERT OR IGNORE INTO embedding_cache (ref, vector) VALUES (?, ?)', [ref, bytesOf(vector)]);
  database.run('INSERT OR IGNORE INTO embedding_uses (memory_id, ref) VALUES (?, ?)', [memoryId, ref]);
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

function getEntry(database: Database, ref: string): Float32Array | undefined {
  const bytes = database.get('SELECT vector FROM embedding_cache WHERE ref = ?', [ref])?.['vector'];
  return bytes instanceof Uint8Array ? new Float32Array(bytes.buffer) : undefined;
}

export function releaseMemory(database: Database, memoryId: MemoryId): void {
  const refs = database
    .all('SELECT ref FROM embedding_uses WHERE memory_id = ?', [memoryId])
    .map((row) => row['ref'] as string);
  database.run('DELETE FROM embedding_uses WHERE memory_id = ?', [memoryId]);
  for (const ref of refs) {
    database.run(
      'DELETE FROM embedding_cache WHERE ref = ? AND NOT EXISTS (SELECT 1 FROM embedding_uses WHERE ref = ?)',
      [ref, ref],
    );
  }
}
