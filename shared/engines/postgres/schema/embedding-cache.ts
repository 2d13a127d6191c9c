import type { Migrations } from '../connection/postgres.js';

/**
 * Vectors by reference, and the memories that use them: a vector without users is dropped. Vectors are stored out of
 * line and uncompressed, because the bytes of floats do not compress.
 */
export const embeddingCacheMigrations: Migrations = {
  component: 'embedding_cache',
  steps: [
    `CREATE TABLE embedding_cache (ref text PRIMARY KEY, vector bytea NOT NULL);
     ALTER TABLE embedding_cache ALTER COLUMN vector SET STORAGE EXTERNAL;
     CREATE TABLE embedding_uses (memory_id text NOT NULL, ref text NOT NULL, PRIMARY KEY (memory_id, ref));
     CREATE INDEX embedding_uses_ref ON embedding_uses (ref);`,
    // Since when nothing needs the use, in ms since 1970; null: it is needed, or was not checked yet.
    'ALTER TABLE embedding_uses ADD COLUMN unused_since bigint;',
  ],
};
