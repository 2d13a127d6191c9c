/** Translates the errors of SQLite. Any other error is a bug in our own SQL and stays as it is. */
import { DependencyError } from '../../../kernel/errors.js';

const ADVICE: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'Storage is full: free space on the disk of the data folder; nothing was stored',
  // The cause may be a quota, a limit on file sizes, or a disk that fails during a write.
  SQLITE_IOERR_WRITE:
    'Storage is full, at a quota, or failing: free space on the disk of the data folder; nothing was stored',
  SQLITE_IOERR: 'The disk of the data folder failed: check the disk and its mount, then try again',
  SQLITE_CORRUPT: 'The database file is damaged: stop the service and restore it from a backup',
  SQLITE_NOTADB: 'The database file is not an SQLite database: stop the service and restore it from a backup',
  SQLITE_CANTOPEN: 'The database file cannot be opened: check that its folder exists and may be written',
  SQLITE_PERM: 'The database file cannot be opened: check its permissions',
  SQLITE_READONLY: 'The database file cannot be written: check its permissions and the mount of the data folder',
  SQLITE_BUSY: 'The database is busy: try again, and stop any other program that has the file open',
  SQLITE_NOMEM: 'The database has no memory left: give the process more',
};

/** `outcomeUnknown`: the failing statement was the COMMIT itself. */
export function translateSqliteError(
  error: unknown,
  options: { readonly outcomeUnknown: boolean } = { outcomeUnknown: false },
): unknown {
  const code = extendedCode(error);
  if (code === null) return error;
  const advice = ADVICE[code] ?? ADVICE[primary(code)];
  return advice === undefined
    ? error
    : new DependencyError('journal', advice, { cause: error, outcomeUnknown: options.outcomeUnknown });
}

/** The primary result code (`SQLITE_IOERR` for `SQLITE_IOERR_FSYNC`); null for an error that is not from SQLite. */
export function sqliteCode(error: unknown): string | null {
  const code = extendedCode(error);
  return code === null ? null : primary(code);
}

/**
 * True when a transaction may be committed although its COMMIT failed with this error. A failed sync may leave a
 * complete commit record in the log, which SQLite replays after a crash; a record that could not be written cannot be
 * replayed.
 */
export function mayBeCommitted(error: unknown): boolean {
  const code = extendedCode(error);
  return code !== null && primary(code) === 'SQLITE_IOERR' && code !== 'SQLITE_IOERR_WRITE';
}

function extendedCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return error.code.startsWith('SQLITE_') ? error.code : null;
}

function primary(code: string): string {
  return code.split('_', 2).join('_');
}
