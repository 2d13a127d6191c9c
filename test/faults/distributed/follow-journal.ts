/** Follows the journal by position as a consumer of the feed does, past every port, while others write and its server comes and goes. */
import pg from 'pg';
import { setTimeout as breathe } from 'node:timers/promises';

export type Follower = {
  /** Reads on to the head, then stops. Resolves with the positions that the journal has and the reader passed. */
  readonly missed: () => Promise<readonly number[]>;
};

const PAGE = 100;
const BREATH_MS = 20;

export async function followJournal(connectionString: string): Promise<Follower> {
  const from = (await positionsAfter(connectionString, 0)).at(-1) ?? 0;
  const seen = new Set<number>();
  let running = true;
  const following = follow();

  async function follow(): Promise<void> {
    for (let after = from; running; await breathe(BREATH_MS)) after = await readOn(after);
  }

  /** One connection's worth of reading: until it is told to stop, or its server goes away. */
  async function readOn(begin: number): Promise<number> {
    let after = begin;
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000, query_timeout: 5_000 });
    client.on('error', () => undefined); // its next query says so
    try {
      await client.connect();
      while (running) {
        const { rows } = await client.query<{ position: number }>(
          'SELECT position::int FROM journal WHERE position > $1 ORDER BY position LIMIT $2',
          [after, PAGE],
        );
        for (const { position } of rows) seen.add((after = position));
        if (rows.length < PAGE) await breathe(BREATH_MS);
      }
    } catch {
      await breathe(BREATH_MS); // a server that was killed: read on behind the last position when it is back
    } finally {
      await client.end().catch(() => undefined); // nothing is left to end
    }
    return after;
  }

  return {
    missed: async () => {
      const all = await positionsAfter(connectionString, from);
      const last = all.at(-1) ?? from;
      while (last > from && !seen.has(last)) await breathe(BREATH_MS);
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
