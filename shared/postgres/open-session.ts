/** A connection of one's own, which ends when a statement gets no answer: whoever holds a lock by it must not believe in it any longer. */
import { Client, escapeIdentifier, type ClientConfig } from 'pg';
import { overClient } from './connection.js';
import { translatePostgresError } from './postgres-errors.js';
import type { Row, Session, Statement } from './postgres.js';

export async function openSession({
  options,
  answerMs,
}: {
  readonly options: ClientConfig;
  readonly answerMs: number;
}): Promise<Session> {
  const client = new Client(options);
  const connection = overClient(client);
  const lost = new AbortController();
  const wakers = new Map<string, (() => void)[]>();
  client.on('end', () => lost.abort());
  client.on('error', () => {
    connection.markBroken();
    lost.abort();
  });
  client.on('notification', ({ channel }) => wakers.get(channel)?.forEach((wake) => wake()));
  await client.connect().catch((error: unknown) => {
    throw translatePostgresError(error);
  });

  async function query<R extends Row>(statement: Statement | string, params: readonly unknown[] = []) {
    try {
      return await connection.run<R>({ statement, params, timeoutMs: answerMs });
    } finally {
      if (connection.isBroken()) cut();
    }
  }

  /** Without a farewell, which a server that does not answer would never acknowledge. */
  function cut(): void {
    lost.abort();
    client.connection.stream.destroy();
  }

  return {
    lost: lost.signal,
    query,
    listen: async (channel, wake) => {
      wakers.set(channel, [...(wakers.get(channel) ?? []), wake]);
      await query(`LISTEN ${escapeIdentifier(channel)}`);
    },
    close: async () => {
      lost.abort();
      const late = setTimeout(cut, answerMs);
      await client.end();
      clearTimeout(late);
    },
  };
}
