/**
 * A committed event that Neo4j cannot finish: a transaction outside the service holds the lock of a memory's node, so
 * that every change of this memory runs into the transaction's timeout.
 */
import { setTimeout as pause } from 'node:timers/promises';
import neo4j, { type Transaction } from 'neo4j-driver';
import { neo4jConfig } from '../../../shared/engines/neo4j/connection/neo4j-variables.js';
import { createHttpCaller } from '../../support/clients/http-caller.js';
import type { Provocation } from './provocations.js';

/** One more memory is locked and changed after this time. */
const EVERY_MS = 10_000;

/** Needs NEO4J_URL, NEO4J_USER and NEO4J_PASSWORD. The changes are applied after the locks are gone. */
export const lockInGraph: Provocation = async (address, ended) => {
  const target = createHttpCaller(address.url, address.token);
  const { url, user, password } = neo4jConfig(process.env);
  const driver = neo4j.driver(url, neo4j.auth.basic(user, password ?? ''));
  const held: Transaction[] = [];
  const answers = new Map<string, number>();
  const changes: Promise<unknown>[] = [];
  try {
    while (!ended.aborted) {
      const { body } = await target.request('POST', '/memory', { body: { content: `Locked memory ${held.length}` } });
      const id = body.memory_id as string;
      const transaction = driver.session().beginTransaction();
      await transaction.run('MATCH (m:Memory {id: $id}) SET m.locked_by_bench = true', { id });
      held.push(transaction);
      changes.push(
        target.request('PATCH', `/memory/${id}`, { body: { importance: 0.9 } }).then(({ status }) => {
          answers.set(`${status}`, (answers.get(`${status}`) ?? 0) + 1);
        }),
      );
      await pause(EVERY_MS, undefined, { signal: ended }).catch(() => undefined /* the time is over */);
    }
    await Promise.all(changes);
    return answers;
  } finally {
    await Promise.all(held.map((transaction) => transaction.rollback()));
    await driver.close();
  }
};
