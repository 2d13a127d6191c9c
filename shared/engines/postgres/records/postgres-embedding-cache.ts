/**
 * Writes the embedding cache in PostgreSQL. The committer calls these functions, too, to write supplied vectors in the
 * transaction of their events. Storing and dropping an entry both lock its row first: otherwise a vector would be lost
 * when one memory starts to use it while another one releases it.
 */
import type { MemoryId } from '../../../contract/memory.js';
import type { CacheEntry, EmbeddingUse } from '../../../ports/embedder.js';
import { type Queryable, statement } from '../connection/postgres.js';
import { embeddingCacheMigrations } from '../schema/embedding-cache.js';

/**
 * Locks the memories first, in the order in which a commit locks them, so that no entry is written for a memory whose
 * deletion released its entries meanwhile. DO UPDATE ... WHERE false changes nothing and locks the existing rows, in
 * the order of the references to avoid deadlocks.
 */
const PUT = statement(embeddingCacheMigrations, 'put', putting('SET ref = excluded.ref WHERE false'));
const REPLACE = statement(embeddingCacheMigrations, 'replace', putting('SET vector = excluded.vector'));

function putting(change: string): string {
  return `WITH known AS MATERIALIZED (
     SELECT subject, present FROM subjects WHERE subject = ANY ($2) ORDER BY subject COLLATE "C" FOR SHARE
   ), entries AS MATERIALIZED (
     SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[]) AS entry (ref, memory_id, vector)
     WHERE NOT EXISTS (SELECT FROM known WHERE known.subject = entry.memory_id AND NOT known.present)
   ), kept AS (
     INSERT INTO embedding_cache (ref, vector) SELECT DISTINCT ON (ref) ref, vector FROM entries ORDER BY ref
     ON CONFLICT (ref) DO UPDATE ${change}
   )
   INSERT INTO embedding_uses (memory_id, ref) SELECT DISTINCT memory_id, ref FROM entries ORDER BY memory_id, ref
   ON CONFLICT (memory_id, ref) DO UPDATE SET unused_since = NULL WHERE embedding_uses.unused_since IS NOT NULL`;
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
/**
 * Parameters: memories and references. Waits for no lock, because a deletion locks uses in another order, and before
 * vectors. The next pass finds what is left out.
 */
const GIVEN_USES = `SELECT used.memory_id, used.ref FROM embedding_uses AS used
  JOIN unnest($1::text[], $2::text[]) AS given (memory_id, ref) ON used.memory_id = given.memory_id AND used.ref = given.ref`;
const UNLOCKED = 'FOR UPDATE OF used SKIP LOCKED';
const MARK = statement(
  embeddingCacheMigrations,
  'mark_uses',
  `UPDATE embedding_uses SET unused_since = $3::bigint WHERE (memory_id, ref) IN (${GIVEN_USES} ${UNLOCKED})`,
);
const FORGET_MARKED = statement(
  embeddingCacheMigrations,
  'forget_marked',
  `DELETE FROM embedding_uses WHERE (memory_id, ref) IN (${GIVEN_USES} WHERE used.unused_since IS NOT NULL ${UNLOCKED})`,
);
const DROP_UNUSED = statement(
  embeddingCacheMigrations,
  'drop_unused',
  `DELETE FROM embedding_cache AS entry
   WHERE ref = ANY ($1) AND NOT EXISTS (SELECT FROM embedding_uses WHERE embedding_uses.ref = entry.ref)`,
);

export async function putEntries(
  postgres: Queryable,
  entries: readonly CacheEntry[],
  { replace = false }: { readonly replace?: boolean } = {},
): Promise<void> {
  if (entries.length === 0) return;
  await postgres.query(replace ? REPLACE : PUT, [
    entries.map(({ ref }) => ref),
    entries.map(({ memoryId }) => memoryId),
    entries.map(({ vector }) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)),
  ]);
}

/**
 * Inside a transaction. Three statements, because each must see the rows that were committed while the statement before
 * it waited.
 */
export async function releaseMemories(transaction: Queryable, memoryIds: readonly MemoryId[]): Promise<void> {
  if (memoryIds.length === 0) return;
  const { rows } = await transaction.query<{ ref: string }>(FORGET_USES, [memoryIds]);
  if (rows.length === 0) return;
  const refs = [...new Set(rows.map(({ ref }) => ref))];
  await transaction.query(LOCK, [refs]);
  await transaction.query(DROP_UNUSED, [refs]);
}

export async function markUses(
  postgres: Queryable,
  uses: readonly EmbeddingUse[],
  since: number | null,
): Promise<void> {
  await postgres.query(MARK, [...keysOf(uses), since]);
}

/** Inside a transaction. Locks the vectors first, as `putEntries` does. */
export async function removeUses(transaction: Queryable, uses: readonly EmbeddingUse[]): Promise<void> {
  const keys = keysOf(uses);
  const refs = [...new Set(keys[1])];
  await transaction.query(LOCK, [refs]);
  await transaction.query(FORGET_MARKED, keys);
  await transaction.query(DROP_UNUSED, [refs]);
}

function keysOf(uses: readonly EmbeddingUse[]): [memoryIds: readonly string[], refs: readonly string[]] {
  return [uses.map(({ memoryId }) => memoryId), uses.map(({ ref }) => ref)];
}
