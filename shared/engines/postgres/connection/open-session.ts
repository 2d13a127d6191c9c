/** Opens a separate connection. It ends when a statement gets no answer, because its advisory locks may be lost then. */
import { Client, type ClientConfig, escapeIdentifier } from 'pg';
import { createConnection } from './connection.js';
import type { Row, Session, Statement } from './postgres.js';
import { translatePostgresError } from './postgres-errors.js';
import { SESSION_SETTINGS } from './session-settings.js';

export async function openSession({
  options,
  answerMs,
}: {
  readonly options: ClientConfig;
  readonly answerMs: number;
}): Promise<Session> {
  const client = new Client(options);
  const connection = createConnection(client);
  const lost = new AbortController();
  const listeners = new Map<string, (() => void)[]>();
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
      lost.abort();
      const timer = setTimeout(cut, answerMs);
      await client.end();
      clearTimeout(timer);
    },
  };
}
