/**
 * The embedding cache. Its engine writes it, because each one has its own way to write many vectors and to lock them.
 */
import type { CacheEntry, EmbeddingCache, EmbeddingScan } from '../../../ports/embedder.js';
import type { Sql } from './sql.js';

export function createEmbeddingCache(
  sql: Sql,
  { put, release }: Pick<EmbeddingCache, 'put' | 'release'>,
): EmbeddingCache {
  const text = `SELECT ref, vector FROM embedding_cache WHERE ${sql.dialect.isIn('ref', '$1')}`;
  return {
    get: async (refs) => {
      const rows = refs.length === 0 ? [] : await sql.read<Pick<StoredEntry, 'ref' | 'vector'>>('get', text, [refs]);
      return new Map(rows.map(({ ref, vector }) => [ref, floatsOf(vector)]));
    },
    put: async (entries, options) => {
      if (entries.length > 0) await put(entries, options);
    },
    release: async (memoryIds) => {
      if (memoryIds.length > 0) await release(memoryIds);
    },
  };
}

/** Reads the whole embedding cache, page by page. */
export function createEmbeddingScan(sql: Sql): EmbeddingScan {
  return {
    scan: async ({ after, limit }) => {
      const rows = await sql.read<StoredEntry>(
        'scan',
        `SELECT used.memory_id, used.ref, entry.vector
         FROM embedding_uses AS used JOIN embedding_cache AS entry ON entry.ref = used.ref
         WHERE (used.memory_id, used.ref) > ($1, $2) ORDER BY used.memory_id, used.ref LIMIT $3`,
        [after?.memoryId ?? '', after?.ref ?? '', limit],
      );
      return rows.map(({ memory_id: memoryId, ref, vector }) => ({ memoryId, ref, vector: floatsOf(vector) }));
    },
  };
}

type StoredEntry = {
  readonly memory_id: CacheEntry['memoryId'];
  readonly ref: string;
  readonly vector: Uint8Array;
};

/** Copied: the bytes can start anywhere in a larger buffer, and a Float32Array must start at a multiple of four. */
function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
