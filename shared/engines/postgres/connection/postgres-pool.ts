/** The Postgres host, made of one `pg` pool. */
import type { Socket } from 'node:net';
import { Client, type ClientBase, type ClientConfig, escapeIdentifier, Pool, type PoolClient } from 'pg';
import { raceDeadline } from '../../../kernel/concurrency/within-deadline.js';
import { DependencyError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import { type Metrics, NO_METRICS } from '../../../kernel/metrics/metrics.js';
import { ANSWER_GRACE_MS, clientOptions } from './client-options.js';
import { type Connection, createConnection } from './connection.js';
import type { Postgres, Row, Session, Statement } from './postgres.js';
import { translatePostgresError } from './postgres-errors.js';
import type { PostgresConfig } from './postgres-variables.js';
import { runTransaction } from './run-transaction.js';
import { SESSION_SETTINGS } from './session-settings.js';
import { traceCall, traceStatement } from './trace-call.js';

export function createPostgres({
  config,
  logger,
  metrics = NO_METRICS,
}: {
  readonly config: PostgresConfig;
  readonly logger: Logger;
  readonly metrics?: Pick<Metrics, 'report'> | undefined;
}): Postgres {
  const sockets = new Set<Socket>();
  let lostConnections = 0;
  const options = clientOptions(config, sockets);
  const answerMs = config.statementTimeoutMs + ANSWER_GRACE_MS;
  const prepareSession = async (client: ClientBase): Promise<void> => void (await client.query(SESSION_SETTINGS));
  // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool awaits it; its types lack that
  const pool = new Pool({ ...options, max: config.poolSize, onConnect: prepareSession });
  // Without a listener the loss of an idle connection would end the process. The pool opens a new connection when it
  // needs one.
  pool.on('error', (error) => {
    lostConnections += 1;
    logger.warn({ err: error }, 'idle Postgres connection lost');
  });

  const endReport = metrics.report(async () => [
    { name: 'palimpsest_postgres_connections', labels: ['used'], value: pool.totalCount - pool.idleCount },
    { name: 'palimpsest_postgres_connections', labels: ['idle'], value: pool.idleCount },
    { name: 'palimpsest_postgres_waiting_calls', value: pool.waitingCount },
  ]);

  async function onConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await connect();
    const connection = createConnection(client);
    // `pg` also rejects the running statement. Without a listener the lost connection would end the process.
    client.on('error', connection.markBroken);
    try {
      return await work(connection);
    } finally {
      client.removeListener('error', connection.markBroken);
      if (connection.isBroken()) lostConnections += 1;
      client.release(connection.isBroken());
    }
  }

  async function connect(): Promise<PoolClient> {
    if (pool.waitingCount >= config.queueLimit) {
      throw new DependencyError(
        'journal',
        `${config.queueLimit} calls already wait for a connection to Postgres: try again, or raise POSTGRES_POOL_SIZE`,
      );
    }
    try {
      return await pool.connect();
    } catch (error) {
      throw translatePostgresError(error);
    }
  }

  return {
    query: (statement, params = []) =>
      traceStatement(statement, () => onConnection(({ run }) => run({ statement, params, timeoutMs: answerMs }))),
    transaction: (work, { timeoutMs } = {}) =>
      traceCall('transaction', () =>
        onConnection((connection) => runTransaction(connection, work, { timeoutMs, answerMs })),
      ),
    session: () => openSession({ options, answerMs, onLost: () => (lostConnections += 1) }),
    lostConnections: () => lostConnections,
    close: async () => {
      endReport();
      await closeSockets(pool.end(), sockets, answerMs);
    },
  };
}

/** A running server closes its side of a connection within a round trip. */
const SOCKET_CLOSE_MS = 500;

/**
 * Closing that always ends: a server that hangs never acknowledges the end of a connection, and the open socket would
 * keep the process alive. Waits for `ended` for at most `graceMs`, then SOCKET_CLOSE_MS for the sockets that are
 * closing, and destroys the rest.
 */
async function closeSockets(ended: Promise<void>, sockets: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  await raceDeadline(ended, { milliseconds: graceMs, onDeadline: () => undefined });
  const closed = Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  await raceDeadline(closed, { milliseconds: SOCKET_CLOSE_MS, onDeadline: () => undefined });
  for (const socket of sockets) socket.destroy();
  await ended;
}

/**
 * Opens a separate connection. It ends when a statement gets no answer, because its advisory locks may be lost then.
 */
async function openSession({
  options,
  answerMs,
  onLost,
}: {
  readonly options: ClientConfig;
  readonly answerMs: number;
  readonly onLost: () => void;
}): Promise<Session> {
  const client = new Client(options);
  const connection = createConnection(client);
  const lost = new AbortController();
  let isClosing = false;
  const listeners = new Map<string, (() => void)[]>();
  lost.signal.addEventListener('abort', () => isClosing || onLost());
  client.on('end', () => lost.abort());
  client.on('error', () => {
    connection.markBroken();
    lost.abort();
  });
  client.on('notification', ({ channel }) => listeners.get(channel)?.forEach((wake) => wake()));
  await client
    .connect()
    .then(() => client.query(SESSION_SETTINGS))
    .catch((error: unknown) => {
      throw translatePostgresError(error);
    });

  async function query<R extends Row>(statement: Statement | string, params: readonly unknown[] = []) {
    try {
      return await connection.run<R>({ statement, params, timeoutMs: answerMs });
    } finally {
      if (connection.isBroken()) cut();
    }
  }

  /** Destroys the socket directly: a server that does not answer would never acknowledge an orderly end. */
  function cut(): void {
    lost.abort();
    client.connection.stream.destroy();
  }

  return {
    lost: lost.signal,
    query,
    listen: async (channel, wake) => {
      listeners.set(channel, [...(listeners.get(channel) ?? []), wake]);
      await query(`LISTEN ${escapeIdentifier(channel)}`);
    },
    close: async () => {
      isClosing = true;
      lost.abort();
      const timer = setTimeout(cut, answerMs);
      await client.end();
      clearTimeout(timer);
    },
  };
}
