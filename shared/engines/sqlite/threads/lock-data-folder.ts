/**
 * Allows one process for each data folder. The lock is an open exclusive SQLite transaction on a separate file, so the
 * system releases it however the process ends.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../../../kernel/config/config.js';
import { type OpenDatabase, openDatabase } from './open-database.js';
import { sqliteCode, translateSqliteError } from './sqlite-errors.js';

const LOCK_FILE = 'palimpsest.lock';

/**
 * Creates the folder if it is missing. Throws a ConfigurationError with the name of the folder when another process
 * uses it.
 */
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
