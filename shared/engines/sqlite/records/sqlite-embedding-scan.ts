/** Reads the whole embedding cache in SQLite, page by page. */
import type { MemoryId } from '../../../contract/memory.js';
import type { CacheEntry, EmbeddingScan } from '../../../ports/embedder.js';
import { procedure, type SqliteHost } from '../threads/host.js';

export function createSqliteEmbeddingScan({ host }: { readonly host: Pick<SqliteHost, 'read'> }): EmbeddingScan {
  return { scan: (request) => host.read(scanEntries, request) };
}

type ScanRequest = Parameters<EmbeddingScan['scan']>[0];

export const scanEntries = procedure(
  import.meta.url,
  'scanEntries',
  (database, { after, limit }: ScanRequest): CacheEntry[] =>
    database
      .all(
        `SELECT embedding_uses.memory_id, ref, vector FROM embedding_uses JOIN embedding_cache USING (ref)
         WHERE (embedding_uses.memory_id, ref) > (?, ?) ORDER BY embedding_uses.memory_id, ref LIMIT ?`,
        [after?.memoryId ?? '', after?.ref ?? '', limit],
      )
      .map(({ memory_id, ref, vector }) => ({
        memoryId: String(memory_id) as MemoryId,
        ref: String(ref),
        vector: new Float32Array(Uint8Array.from(vector as Uint8Array).buffer),
      })),
);
