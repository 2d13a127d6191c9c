/**
 * Follows the journal by position with plain SQL, like a consumer of the feed, while writers run and Postgres restarts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export type Follower = {
  /** Reads up to the head and stops. Resolves with the journal positions that the reader skipped. */
  readonly missed: () => Promise<readonly number[]>;
};

const PAGE = 100;
const POLL_MS = 20;

export async function followJournal(connectionString: string): Promise<Follower> {
  const from = (await positionsAfter(connectionString, 0)).at(-1) ?? 0;
  const seen = new Set<number>();
  let running = true;
  const following = follow();

  async function follow(): Promise<void> {
    for (let after = from; running; await sleep(POLL_MS)) after = await readOn(after);
  }

  /** Reads over one connection until `running` is false or the connection breaks. */
  async function readOn(begin: number): Promise<number> {
    let after = begin;
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000, query_timeout: 5_000 });
    client.on('error', () => undefined); // the next query rejects
    try {
      await client.connect();
      while (running) {
        const { rows } = await client.query<{ position: number }>(
          'SELECT position::int FROM journal WHERE position > $1 ORDER BY position LIMIT $2',
          [after, PAGE],
        );
        for (const { position } of rows) seen.add((after = position));
        if (rows.length < PAGE) await sleep(POLL_MS);
      }
    } catch {
      await sleep(POLL_MS); // the server was killed: continue after the last position when it is back
    } finally {
      await client.end().catch(() => undefined); // the connection is already closed
    }
    return after;
  }

  return {
    missed: async () => {
      const all = await positionsAfter(connectionString, from);
      const last = all.at(-1) ?? from;
      while (last > from && !seen.has(last)) await sleep(POLL_MS);
      running = false;
      await following;
      return all.filter((position) => !seen.has(position));
    },
  };
}

async function positionsAfter(connectionString: string, after: number): Promise<readonly number[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (
      await client.query<{ position: number }>(
        'SELECT position::int FROM journal WHERE position > $1 ORDER BY position',
        [after],
      )
    ).rows.map(({ position }) => position);
  } finally {
    await client.end();
  }
}
