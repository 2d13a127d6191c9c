/** The options of every connection to Postgres. Without them `pg` waits without a limit. */
import { Socket } from 'node:net';
import { type ClientConfig, types } from 'pg';
import type { PostgresConfig } from './postgres-variables.js';

/**
 * How much longer than the server the client waits: the server reports its own timeout first, and the connection stays
 * usable.
 */
export const ANSWER_GRACE_MS = 1_000;
const KEEPALIVE_DELAY_MS = 10_000;
const BIGINT = types.builtins.INT8;

/** Every open socket is in `sockets`, so that closing can destroy the socket of a server that never answers. */
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

/** Our `bigint` columns hold positions and counts, all far below 2^53. */
function parserOf(oid: number, format: 'text' | 'binary' = 'text'): unknown {
  return oid === BIGINT && format === 'text' ? Number : types.getTypeParser(oid, format as 'text');
}
