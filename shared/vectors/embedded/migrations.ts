/** The tables of the embedded vector index. */
import type { Migrations } from '../../sqlite/database.js';

/**
 * A removed memory keeps its id and version, so that an older upsert coming late stays out. `n` is never given twice, so pages by `n`
 * miss nothing. Vectors are little-endian float32 at unit length.
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
