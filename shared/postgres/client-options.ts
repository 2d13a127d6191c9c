/** What every connection to Postgres is opened with: `pg` waits for ever unless it is told otherwise. */
import { Socket } from 'node:net';
import { types, type ClientConfig } from 'pg';
import type { PostgresConfig } from './postgres-variables.js';

/** The server's own word comes first; only without one the client gives up, and with it the connection. */
export const ANSWER_GRACE_MS = 1_000;
const KEEPALIVE_DELAY_MS = 10_000;
const BIGINT = types.builtins.INT8;

/** The sockets opened with these options stand in `sockets` while they are open, so that closing can end one whose server never answers. */
export function clientOptions(config: PostgresConfig, sockets: Set<Socket>): ClientConfig {
  return {
    connectionString: config.url,
    fallback_application_name: 'palimpsest',
    connectionTimeoutMillis: config.connectTimeoutMs,
    query_timeout: config.statementTimeoutMs + ANSWER_GRACE_MS,
    statement_timeout: config.statementTimeoutMs,
    lock_timeout: config.lockTimeoutMs,
    idle_in_transaction_session_timeout: config.idleTransactionTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
    types: { getTypeParser: (oid: number, format?: 'text' | 'binary') => parserOf(oid, format) } as NonNullable<
      ClientConfig['types']
    >,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    },
  };
}

/** `bigint` holds positions and counts here, all far below 2^53. */
function parserOf(oid: number, format: 'text' | 'binary' = 'text'): unknown {
  return oid === BIGINT && format === 'text' ? Number : types.getTypeParser(oid, format as 'text');
}
