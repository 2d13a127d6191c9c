/** The tables of the embedded vector index. */
import type { Migrations } from '../threads/database.js';

/**
 * A removed memory keeps its id and version as a tombstone against late older upserts. `n` is never reused, so paging by `n` misses no row.
 * Vectors are little-endian float32 at unit length.
 */
export const vectorMigrations: Migrations = {
  component: 'vectors',
  steps: [
    `CREATE TABLE points (
       n INTEGER PRIMARY KEY AUTOINCREMENT,
       id TEXT NOT NULL UNIQUE,
       version INTEGER NOT NULL,
       model TEXT,
       vector BLOB,
       payload TEXT
     );`,
    // The journal from which the index was made, and its applied position; no row before the first write.
    `CREATE TABLE index_mark (
       only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
       journal_id TEXT NOT NULL,
       position INTEGER NOT NULL,
       event_id TEXT NOT NULL
     );`,
  ],
};
