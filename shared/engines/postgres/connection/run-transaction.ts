/** Runs BEGIN, the work and COMMIT. The caller learns the outcome, or that the outcome is unknown. */
import type { QueryResult } from 'pg';
import { DependencyError } from '../../../kernel/errors.js';
import { ANSWER_GRACE_MS } from './client-options.js';
import type { Connection } from './connection.js';
import type { Queryable, Row, Transaction, TransactionOptions } from './postgres.js';
import { isConnectionUnusable, isRefusal, translatePostgresError } from './postgres-errors.js';
import { traceCall, traceStatement } from './trace-call.js';

/** The session has this level already; an earlier statement may have changed it. */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';

export type TransactionLimits = TransactionOptions & { readonly answerMs: number };

export async function runTransaction<T>(
  connection: Connection,
  work: (transaction: Transaction) => Promise<T>,
  { timeoutMs, answerMs: usualMs }: TransactionLimits,
): Promise<T> {
  const answerMs = timeoutMs === undefined ? usualMs : timeoutMs + ANSWER_GRACE_MS;
  let isCommitted = false;
  const run: Queryable['query'] = (statement, params = []) => {
    if (isCommitted) throw new Error('The transaction is committed: queryAndCommit must be its last statement');
    return connection.run({ statement, params, timeoutMs: answerMs });
  };
  const queryAndCommit = async <R extends Row>(text: string) => {
    const [first] = await commit<R>(connection, `${text}; COMMIT`, answerMs);
    isCommitted = true;
    return { rows: first?.rows ?? [], count: first?.rowCount ?? 0 };
  };
  await run(
    timeoutMs === undefined
      ? BEGIN
      : `${BEGIN}; SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)}; SET LOCAL lock_timeout = ${Math.ceil(timeoutMs)}`,
  );
  try {
    const result = await work({
      query: (statement, params) => traceStatement(statement, () => run(statement, params)),
      queryAndCommit,
    });
    if (!isCommitted) await commit(connection, 'COMMIT', answerMs);
    return result;
  } catch (error) {
    await rollBack(connection, answerMs);
    throw error;
  }
}

/** Without an answer the connection is closed, and the server then rolls back too. */
async function rollBack(connection: Connection, timeoutMs: number): Promise<void> {
  if (connection.isBroken()) return;
  await connection.runBare('ROLLBACK', timeoutMs).catch(connection.markBroken);
}

/** Runs a text that ends with COMMIT. Returns the result of each statement. */
async function commit<R extends Row>(
  connection: Connection,
  text: string,
  timeoutMs: number,
): Promise<readonly QueryResult<R>[]> {
  if (connection.isBroken())
    throw new DependencyError(
      'journal',
      'The connection to Postgres was lost before the commit and nothing was stored: try again',
    );
  const results = await traceCall('commit', () => connection.runBare<R>(text, timeoutMs)).catch((error: unknown) => {
    if (isConnectionUnusable(error)) connection.markBroken();
    if (isRefusal(error)) throw translatePostgresError(error);
    throw new DependencyError('journal', 'The answer of Postgres to a commit was lost: it may stand', {
      cause: error,
      outcomeUnknown: true,
    });
  });
  if (results.at(-1)?.command !== 'COMMIT')
    throw new Error(
      'A statement of a transaction failed and the work continued: nothing was committed. Do not catch this error in the work.',
    );
  return results;
}
