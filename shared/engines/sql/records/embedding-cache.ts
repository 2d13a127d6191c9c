/**
 * The embedding cache. Its engine writes it, because each one has its own way to write many vectors and to lock them.
 */
import type {
  CacheEntry,
  EmbeddingCache,
  EmbeddingScan,
  EmbeddingUse,
  EmbeddingUses,
} from '../../../ports/embedder.js';
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

/** Its engine marks and removes uses, because each one has its own way to name many of them and to lock them. */
export function createEmbeddingUses(sql: Sql, { mark, remove }: Pick<EmbeddingUses, 'mark' | 'remove'>): EmbeddingUses {
  return {
    list: async ({ after, limit }) => {
      const rows = await sql.read<Omit<StoredEntry, 'vector'> & { readonly unused_since: EmbeddingUse['unusedSince'] }>(
        'list_uses',
        `SELECT memory_id, ref, unused_since FROM embedding_uses
         WHERE (memory_id, ref) > ($1, $2) ORDER BY memory_id, ref LIMIT $3`,
        [after?.memoryId ?? '', after?.ref ?? '', limit],
      );
      return rows.map(({ memory_id: memoryId, ref, unused_since: unusedSince }) => ({ memoryId, ref, unusedSince }));
    },
    mark: async (uses, since) => {
      if (uses.length > 0) await mark(uses, since);
    },
    remove: async (uses) => {
      if (uses.length > 0) await remove(uses);
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
