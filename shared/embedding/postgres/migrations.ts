import type { Migrations } from '../../postgres/migrations.js';

/**
 * Vectors by reference, and which memory uses which of them: a vector that nobody uses any more is dropped. They stand uncompressed
 * beside the row: the bytes of floats do not compress.
 */
export const embeddingCacheMigrations: Migrations = {
  room: 'embedding_cache',
  steps: [
    `CREATE TABLE embedding_cache (ref text PRIMARY KEY, vector bytea NOT NULL);
     ALTER TABLE embedding_cache ALTER COLUMN vector SET STORAGE EXTERNAL;
     CREATE TABLE embedding_uses (memory_id text NOT NULL, ref text NOT NULL, PRIMARY KEY (memory_id, ref));
     CREATE INDEX embedding_uses_ref ON embedding_uses (ref);`,
  ],
};
