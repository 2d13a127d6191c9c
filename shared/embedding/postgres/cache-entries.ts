/**
 * The embedding cache as functions over a connection, because the committer writes supplied vectors with their events. Who keeps an
 * entry and who drops it lock its row first: without, a vector that one memory takes up while another lets go of it would be lost.
 */
import type { MemoryId } from '../../contract/memory.js';
import { statement, type Queryable } from '../../postgres/postgres.js';
import { embeddingCacheMigrations } from './migrations.js';

export type CacheEntry = { readonly ref: string; readonly memoryId: MemoryId; readonly vector: Float32Array };

const GET = statement(embeddingCacheMigrations, 'get', 'SELECT ref, vector FROM embedding_cache WHERE ref = ANY ($1)');

/** DO UPDATE ... WHERE false changes nothing and locks what is there; in order of the references, so that two writers do not deadlock. */
const PUT = statement(
  embeddingCacheMigrations,
  'put',
  `WITH entries AS MATERIALIZED (
     SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[]) AS entry (ref, memory_id, vector)
   ), kept AS (
     INSERT INTO embedding_cache (ref, vector) SELECT DISTINCT ON (ref) ref, vector FROM entries ORDER BY ref
     ON CONFLICT (ref) DO UPDATE SET ref = excluded.ref WHERE false
   )
   INSERT INTO embedding_uses (memory_id, ref) SELECT DISTINCT memory_id, ref FROM entries ORDER BY memory_id, ref ON CONFLICT DO NOTHING`,
);

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
  // Copied, because the bytes stand anywhere in a larger buffer and a Float32Array begins at a multiple of four.
  return new Map(rows.map(({ ref, vector }) => [ref, new Float32Array(Uint8Array.from(vector).buffer)]));
}

export async function putEntries(postgres: Queryable, entries: readonly CacheEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await postgres.query(PUT, [
    entries.map(({ ref }) => ref),
    entries.map(({ memoryId }) => memoryId),
    entries.map(({ vector }) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)),
  ]);
}

/** Inside a transaction: three statements, each of which has to see what was committed while the one before it waited. */
export async function releaseMemories(transaction: Queryable, memoryIds: readonly MemoryId[]): Promise<void> {
  if (memoryIds.length === 0) return;
  const { rows } = await transaction.query<{ ref: string }>(FORGET_USES, [memoryIds]);
  if (rows.length === 0) return;
  const refs = [...new Set(rows.map(({ ref }) => ref))];
  await transaction.query(LOCK, [refs]);
  await transaction.query(DROP_UNUSED, [refs]);
}
