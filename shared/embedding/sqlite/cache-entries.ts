/** The embedding cache inside a transaction: plain functions, because the committer writes supplied vectors with their events. */
import type { MemoryId } from '../../contract/memory.js';
import type { Database } from '../../sqlite/database.js';

export type CacheEntry = { readonly ref: string; readonly memoryId: MemoryId; readonly vector: Float32Array };

export function putEntry(database: Database, { ref, memoryId, vector }: CacheEntry): void {
  database.run('INSERT OR IGNORE INTO embedding_cache (ref, vector) VALUES (?, ?)', [
    ref,
    new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
  ]);
  database.run('INSERT OR IGNORE INTO embedding_uses (memory_id, ref) VALUES (?, ?)', [memoryId, ref]);
}

export function getEntry(database: Database, ref: string): Float32Array | undefined {
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
