import type { Migrations } from '../threads/database.js';

/** Vectors by reference, and the memories that use them: a vector without users is dropped. */
export const embeddingCacheMigrations: Migrations = {
  component: 'embedding-cache',
  steps: [
    `CREATE TABLE embedding_cache (ref TEXT PRIMARY KEY, vector BLOB NOT NULL);
     CREATE TABLE embedding_uses (memory_id TEXT NOT NULL, ref TEXT NOT NULL, PRIMARY KEY (memory_id, ref)) WITHOUT ROWID;
     CREATE INDEX embedding_uses_ref ON embedding_uses (ref);`,
  ],
};
