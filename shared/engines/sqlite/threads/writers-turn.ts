/**
 * One turn of the writer thread: everything that waits for it shares one transaction, and so one sync of the disk. Each
 * write has a savepoint, so that a failing one fails alone. Known as group commit.
 */
import type { OpenDatabase } from './open-database.js';
import { mayBeCommitted, translateSqliteError } from './sqlite-errors.js';

/** After this time the turn takes no further write: callers of the first ones wait for its end. */
const TURN_MS = 10;

export type Outcome = { readonly result: unknown } | { readonly error: unknown };

/**
 * Runs writes from the first on. Returns an outcome for each write that it ran, at least one; the others are for the
 * next turn.
 */
export function runTurn(database: OpenDatabase, writes: readonly (() => unknown)[]): readonly Outcome[] {
  const startedAt = performance.now();
  const outcomes: Outcome[] = [];
  database.run('BEGIN IMMEDIATE');
  for (const write of writes) {
    if (outcomes.length > 0 && performance.now() - startedAt > TURN_MS) break;
    outcomes.push(runOne(database, write));
    // SQLite itself has rolled everything back, for example because the disk is full.
    if (!database.inTransaction()) return outcomes.map(() => lastOf(outcomes));
  }
  if (outcomes.every((outcome) => 'error' in outcome)) {
    database.exec('ROLLBACK');
    return outcomes;
  }
  try {
    database.run('COMMIT');
    return outcomes;
  } catch (error) {
    if (database.inTransaction()) database.exec('ROLLBACK');
    const failed = { error: translateSqliteError(error, { outcomeUnknown: mayBeCommitted(error) }) };
    return outcomes.map((outcome) => ('error' in outcome ? outcome : failed));
  }
}

function runOne(database: OpenDatabase, write: () => unknown): Outcome {
  try {
    return { result: database.savepoint(write) };
  } catch (error) {
    return { error };
  }
}

function lastOf(outcomes: readonly Outcome[]): Outcome {
  const last = outcomes.at(-1);
  if (last === undefined) throw new Error('A turn without a write has no outcome');
  return last;
}
