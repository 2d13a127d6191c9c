/** Reads the whole embedding cache in PostgreSQL, page by page. */
import type { MemoryId } from '../../../contract/memory.js';
import type { EmbeddingScan } from '../../../ports/embedder.js';
import { type Postgres, statement } from '../connection/postgres.js';
import { embeddingCacheMigrations } from '../schema/embedding-cache.js';

const SCAN = statement(
  embeddingCacheMigrations,
  'scan',
  `SELECT used.memory_id, used.ref, entry.vector FROM embedding_uses AS used JOIN embedding_cache AS entry USING (ref)
   WHERE (used.memory_id, used.ref) > ($1, $2) ORDER BY used.memory_id, used.ref LIMIT $3`,
);

type ScannedRow = { readonly memory_id: string; readonly ref: string; readonly vector: Buffer };

export function createPostgresEmbeddingScan({
  postgres,
}: {
  readonly postgres: Pick<Postgres, 'query'>;
}): EmbeddingScan {
  return {
    scan: async ({ after, limit }) => {
      const { rows } = await postgres.query<ScannedRow>(SCAN, [after?.memoryId ?? '', after?.ref ?? '', limit]);
      return rows.map(({ memory_id, ref, vector }) => ({
        memoryId: memory_id as MemoryId,
        ref,
        vector: new Float32Array(Uint8Array.from(vector).buffer),
      }));
    },
  };
}
