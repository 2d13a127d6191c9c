/**
 * Allows one process for each data folder. The lock is an open exclusive SQLite transaction on a separate file, so the
 * system releases it however the process ends.
 */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { ConfigurationError } from '../../../kernel/config/config.js';
import { messageOf } from '../../../kernel/errors.js';
import { createPrivateFile, PRIVATE_FOLDER } from '../../../kernel/private-files.js';
import { type OpenDatabase, openDatabase } from './open-database.js';
import { sqliteCode, translateSqliteError } from './sqlite-errors.js';

const LOCK_FILE = 'palimpsest.lock';

/**
 * Creates the folder if it is missing. Throws a ConfigurationError with the name of the folder when it cannot be used,
 * or when another process uses it.
 */
export function lockDataFolder(folder: string): { release(): void } {
  try {
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    requireAccess(folder);
    createPrivateFile(join(folder, LOCK_FILE));
  } catch (error) {
    throw new ConfigurationError([dataFolderProblem(folder, error)]);
  }
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

/** Throws the error of the system unless it is a folder in which this user may read and write. */
export function requireAccess(folder: string): void {
  accessSync(`${folder}${sep}`, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** What to do about an error of the system that concerns the folder. */
export function dataFolderProblem(folder: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : messageOf(error);
  const other = 'set PALIMPSEST_DATA_DIR to another folder';
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return `The data folder ${folder} cannot be made, because a file has its name or that of a folder above it: move the file, or ${other}`;
  return `The data folder ${folder} cannot be read and written by this user (${code}): give this user access, or ${other}`;
}

/** True while a service has the folder. */
export function isDataFolderInUse(folder: string): boolean {
  if (!existsSync(join(folder, LOCK_FILE))) return false;
  try {
    lockDataFolder(folder).release();
    return false;
  } catch (error) {
    if (error instanceof ConfigurationError) return true;
    throw error;
  }
}
