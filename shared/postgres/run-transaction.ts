/** Runs BEGIN, the work and COMMIT. The caller learns the outcome, or that the outcome is unknown. */
import { DependencyError } from '../kernel/errors.js';
import { ANSWER_GRACE_MS } from './client-options.js';
import type { Connection } from './connection.js';
import type { Queryable, TransactionOptions } from './postgres.js';
import { isRefusal, translatePostgresError } from './postgres-errors.js';

/** The session has this level already; an earlier statement may have changed it. */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';

export type TransactionLimits = TransactionOptions & { readonly answerMs: number };

export async function runTransaction<T>(
  connection: Connection,
  work: (transaction: Queryable) => Promise<T>,
  { timeoutMs, answerMs: usualMs }: TransactionLimits,
): Promise<T> {
  const answerMs = timeoutMs === undefined ? usualMs : timeoutMs + ANSWER_GRACE_MS;
  const run: Queryable['query'] = (statement, params = []) =>
    connection.run({ statement, params, timeoutMs: answerMs });
  await run(
    timeoutMs === undefined
      ? BEGIN
      : `${BEGIN}; SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)}; SET LOCAL lock_timeout = ${Math.ceil(timeoutMs)}`,
  );
  const result = await work({ query: run }).catch(async (error: unknown) => {
    await rollBack(connection, answerMs);
    throw error;
  });
  await commit(connection, answerMs);
  return result;
}

/** Without an answer the connection is closed, and the server then rolls back too. */
async function rollBack(connection: Connection, timeoutMs: number): Promise<void> {
  if (connection.isBroken()) return;
  await connection.runBare('ROLLBACK', timeoutMs).catch(connection.markBroken);
}

async function commit(connection: Connection, timeoutMs: number): Promise<void> {
  if (connection.isBroken())
    throw new DependencyError(
      'journal',
      'The connection to Postgres was lost before the commit and nothing was stored: try again',
    );
  const answer = await connection.runBare('COMMIT', timeoutMs).catch((error: unknown) => {
    connection.markBroken();
    if (isRefusal(error)) throw translatePostgresError(error);
    throw new DependencyError('journal', 'The answer of Postgres to a commit was lost: it may stand', {
      cause: error,
      outcomeUnknown: true,
    });
  });
  if (answer !== 'COMMIT')
    throw new Error(
      'A statement of a transaction failed and the work continued: nothing was committed. Do not catch this error in the work.',
    );
}
