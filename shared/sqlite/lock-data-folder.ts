/**
 * One process for each data folder: an open exclusive SQLite transaction on a file of its own is the lock, so the system lets go of
 * it whatever way the process ends.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../kernel/config.js';
import { openDatabase, type OpenDatabase } from './open-database.js';
import { sqliteCode, translateSqliteError } from './sqlite-errors.js';

const LOCK_FILE = 'palimpsest.lock';

/** Makes the folder where it is missing. Throws a ConfigurationError that names the folder when another process has it. */
export function lockDataFolder(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true });
  let database: OpenDatabase | undefined;
  try {
    database = openDatabase(join(folder, LOCK_FILE), { busyTimeoutMs: 0 });
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (sqliteCode(error) !== 'SQLITE_BUSY') throw translateSqliteError(error);
    throw new ConfigurationError([
      `The data folder ${folder} is in use by another process: stop that one, or give this one a data folder of its own`,
    ]);
  }
  const held = database;
  return {
    release: () => {
      held.exec('ROLLBACK');
      held.close();
    },
  };
}
