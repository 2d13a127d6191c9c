/** Lets statements that are asked for in the same turn of the event loop travel together, so that what asks them stays written one by one. */
import type { Neo4j, Row, Statement } from './neo4j.js';

type Waiting = {
  readonly statement: Statement;
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: unknown) => void;
};

/** For the reads of one request: who waits long and who does not wait for each other. */
export function readTogether(neo4j: Pick<Neo4j, 'readAll'>): Pick<Neo4j, 'read'> {
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
