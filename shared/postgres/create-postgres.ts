/** The host over one `pg` pool. */
import type { Socket } from 'node:net';
import { Pool, type PoolClient } from 'pg';
import { DependencyError } from '../kernel/errors.js';
import type { Logger } from '../kernel/logger.js';
import { ANSWER_GRACE_MS, clientOptions } from './client-options.js';
import { closeSockets } from './close-sockets.js';
import { overClient, type Connection } from './connection.js';
import { openSession } from './open-session.js';
import { translatePostgresError } from './postgres-errors.js';
import type { PostgresConfig } from './postgres-variables.js';
import type { Postgres } from './postgres.js';
import { runTransaction } from './run-transaction.js';

export function createPostgres({
  config,
  logger,
}: {
  readonly config: PostgresConfig;
  readonly logger: Logger;
}): Postgres {
  const sockets = new Set<Socket>();
  const options = clientOptions(config, sockets);
  const answerMs = config.statementTimeoutMs + ANSWER_GRACE_MS;
  const pool = new Pool({ ...options, max: config.poolSize });
  // Without a listener the loss of an idle connection would end the process; the pool itself opens another one when it is needed.
  pool.on('error', (error) => logger.warn({ error }, 'an idle connection to Postgres was lost'));

  async function onConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await connect();
    const connection = overClient(client);
    // `pg` fails the running statement as well; without a listener the loss would end the process.
    client.on('error', connection.markBroken);
    try {
      return await work(connection);
    } finally {
      client.removeListener('error', connection.markBroken);
      client.release(connection.isBroken());
    }
  }

  async function connect(): Promise<PoolClient> {
    if (pool.waitingCount >= config.queueLimit) {
      throw new DependencyError(
        'journal',
        `${config.queueLimit} calls wait for a connection to Postgres already (POSTGRES_QUEUE_LIMIT): try again`,
      );
    }
    try {
      return await pool.connect();
    } catch (error) {
      throw translatePostgresError(error);
    }
  }

  return {
    query: (statement, params = []) => onConnection(({ run }) => run({ statement, params, timeoutMs: answerMs })),
    transaction: (work, { timeoutMs } = {}) =>
      onConnection((connection) => runTransaction(connection, work, { timeoutMs, answerMs })),
    session: () => openSession({ options, answerMs }),
    close: () => closeSockets(pool.end(), sockets, answerMs),
  };
}
