/** The tables of the embedded vector index. */
import type { Migrations } from '../../sqlite/database.js';

/**
 * A removed memory keeps its id and version as a tombstone against late older upserts. `n` is never reused, so paging by `n` misses no row.
 * Vectors are little-endian float32 at unit length.
 */
export const vectorMigrations: Migrations = {
  room: 'vectors',
  steps: [
    `CREATE TABLE points (
       n INTEGER PRIMARY KEY AUTOINCREMENT,
       id TEXT NOT NULL UNIQUE,
       version INTEGER NOT NULL,
       model TEXT,
       vector BLOB,
       payload TEXT
     );`,
  ],
};
