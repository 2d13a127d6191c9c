/**
 * The embedding cache in PostgreSQL. The committer calls its functions, too, to write supplied vectors in the transaction of their events.
 * Storing and dropping an entry both lock its row first: otherwise a vector would be lost when one memory starts to use it while
 * another one releases it.
 */
import type { MemoryId } from '../../../contract/memory.js';
import type { CacheEntry, EmbeddingCache } from '../../../ports/embedder.js';
import { type Postgres, type Queryable, statement } from '../connection/postgres.js';
import { embeddingCacheMigrations } from '../schema/embedding-cache.js';

export function createPostgresEmbeddingCache({ postgres }: { readonly postgres: Postgres }): EmbeddingCache {
  return {
    get: (refs) => getEntries(postgres, refs),
    put: (entries, { replace = false } = {}) => putEntries(postgres, entries, replace ? REPLACE : PUT),
    release: async (memoryIds) => {
      if (memoryIds.length > 0) await postgres.transaction((transaction) => releaseMemories(transaction, memoryIds));
    },
  };
}

const GET = statement(embeddingCacheMigrations, 'get', 'SELECT ref, vector FROM embedding_cache WHERE ref = ANY ($1)');

/** DO UPDATE ... WHERE false changes nothing and locks the existing rows, in the order of the references to avoid deadlocks. */
const PUT = statement(embeddingCacheMigrations, 'put', putting('SET ref = excluded.ref WHERE false'));
const REPLACE = statement(embeddingCacheMigrations, 'replace', putting('SET vector = excluded.vector'));

function putting(change: string): string {
  return `WITH entries AS MATERIALIZED (
     SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[]) AS entry (ref, memory_id, vector)
   ), kept AS (
     INSERT INTO embedding_cache (ref, vector) SELECT DISTINCT ON (ref) ref, vector FROM entries ORDER BY ref
     ON CONFLICT (ref) DO UPDATE ${change}
   )
   INSERT INTO embedding_uses (memory_id, ref) SELECT DISTINCT memory_id, ref FROM entries ORDER BY memory_id, ref ON CONFLICT DO NOTHING`;
}

const FORGET_USES = statement(
  embeddingCacheMigrations,
  'forget_uses',
  'DELETE FROM embedding_uses WHERE memory_id = ANY ($1) RETURNING ref',
);
const LOCK = statement(
  embeddingCacheMigrations,
  'lock',
  'SELECT FROM embedding_cache WHERE ref = ANY ($1) ORDER BY ref FOR UPDATE',
);
const DROP_UNUSED = statement(
  embeddingCacheMigrations,
  'drop_unused',
  `DELETE FROM embedding_cache AS entry
   WHERE ref = ANY ($1) AND NOT EXISTS (SELECT FROM embedding_uses WHERE embedding_uses.ref = entry.ref)`,
);

export async function getEntries(
  postgres: Queryable,
  refs: readonly string[],
): Promise<ReadonlyMap<string, Float32Array>> {
  if (refs.length === 0) return new Map();
  const { rows } = await postgres.query<{ ref: string; vector: Buffer }>(GET, [refs]);
  // Copied: the bytes can start anywhere in a larger buffer, and a Float32Array must start at a multiple of four.
  return new Map(rows.map(({ ref, vector }) => [ref, new Float32Array(Uint8Array.from(vector).buffer)]));
}

export async function putEntries(postgres: Queryable, entries: readonly CacheEntry[], put = PUT): Promise<void> {
  if (entries.length === 0) return;
  await postgres.query(put, [
    entries.map(({ ref }) => ref),
    entries.map(({ memoryId }) => memoryId),
    entries.map(({ vector }) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)),
  ]);
}

/** Inside a transaction. Three statements, because each must see the rows that were committed while the statement before it waited. */
export async function releaseMemories(transaction: Queryable, memoryIds: readonly MemoryId[]): Promise<void> {
  if (memoryIds.length === 0) return;
  const { rows } = await transaction.query<{ ref: string }>(FORGET_USES, [memoryIds]);
  if (rows.length === 0) return;
  const refs = [...new Set(rows.map(({ ref }) => ref))];
  await transaction.query(LOCK, [refs]);
  await transaction.query(DROP_UNUSED, [refs]);
}
