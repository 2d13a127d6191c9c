/** Sends all statements read in the same turn of the event loop in one batch, so that each caller can still read one statement at a time. */
import type { Neo4j, Row, Statement } from '../neo4j.js';

type Waiting = {
  readonly statement: Statement;
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: unknown) => void;
};

/** For the reads of one request only, because a fast read in a batch waits for the slow ones. */
export function batchReads(neo4j: Pick<Neo4j, 'readAll'>): Pick<Neo4j, 'read'> {
  let waiting: Waiting[] = [];

  async function sendAll(): Promise<void> {
    const all = waiting;
    waiting = [];
    try {
      const answers = await neo4j.readAll(all.map(({ statement }) => statement));
      all.forEach(({ resolve }, index) => resolve(answers[index] ?? []));
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  }

  return {
    read: (statement) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) queueMicrotask(() => void sendAll());
        waiting.push({ statement, resolve, reject });
      }),
  };
}
