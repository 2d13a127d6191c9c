/**
 * Holds the locks and sessions of the simulated Postgres to the real ones: the same script runs over each, and both
 * give the same report of what waited, what answered and what failed.
 */
import { setTimeout as pass } from 'node:timers/promises';
import { expect } from 'chai';
import { LOCK, MOVE } from '../../../shared/engines/postgres/commit/group-statements.js';
import { holdLock } from '../../../shared/engines/postgres/connection/hold-lock.js';
import type { Postgres, Queryable } from '../../../shared/engines/postgres/connection/postgres.js';
import { putEntries } from '../../../shared/engines/postgres/records/postgres-embedding-cache.js';
import { openSimulatedDatabase } from '../../simulation/postgres/simulated-database.js';
import { command } from '../../support/adapters/committers.js';
import { until } from '../../support/checks/until.js';
import { numberedId, stored } from '../../support/fixtures/events.js';
import { openTemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';
import { committing } from './commit-script.js';

type Server = { readonly postgres: Postgres; readonly endSessions: () => Promise<void> };
/** Returns lines that must be the same for both servers. */
type Script = (server: Server) => Promise<readonly string[]>;
type Work = (queryable: Queryable) => Promise<unknown>;

/** A statement without an answer after this time waits for a lock. */
const WAIT_MS = 1_000;
const HOLDS = ['fresh', 'change', 'keep'] as const;
const [PRESENT, ABSENT] = [numberedId(1), numberedId(2)];
/** Two connections for each case that runs at the same time. */
const POOL_SIZE = 2 * HOLDS.length ** 2;
const MAINTENANCE_LOCK = 'SELECT pg_try_advisory_lock(1885436016, $1) AS held';

const locking =
  (subject: string, hold: (typeof HOLDS)[number], keys: readonly string[] = []): Work =>
  async (queryable) =>
    (await queryable.query(LOCK, [keys, JSON.stringify([{ subject, hold }]), [], 10])).rows;

function move(queryable: Queryable, subject: string): Promise<unknown> {
  const moves = JSON.stringify([{ subject, version: 7, revision: 7, present: true }]);
  return queryable.query(MOVE, [moves, [subject], '[]', [], []]);
}

/** The error as a caller sees it. */
const reportOf = (error: unknown): string => {
  const { name, cause } = error as Error;
  return `${name} ${cause instanceof Error && 'severity' in cause && 'code' in cause ? String(cause.code) : ''}`.trim();
};

/** Whether `second` waits while a transaction that did `first` is open, and what it answers in the end. */
async function meeting(
  { postgres }: Server,
  { first, second, end }: { readonly first: Work; readonly second: Work; readonly end: Work },
): Promise<string> {
  let answer: string | null = null;
  let waits = '';
  const running: Promise<unknown>[] = [];
  await postgres
    .transaction(async (holder) => {
      await first(holder);
      const other = postgres.transaction(async (transaction) => JSON.stringify(await second(transaction)));
      running.push(other.catch(reportOf).then((text) => (answer = text)));
      await Promise.race([running[0], pass(WAIT_MS)]);
      waits = answer === null ? 'waits' : 'answers';
      await end(holder);
    })
    .catch(() => undefined /* the end of the first transaction may fail */);
  if (running.length === 0) throw new Error('The first transaction failed before the second one began');
  await running[0];
  return `${waits}: ${answer}`;
}

/** Each case has a subject of its own, and the cases of a batch run at the same time. */
const subjects: Script = async (server) => {
  const lines: string[] = [];
  for (const isPresent of [true, false])
    for (const commits of [true, false]) {
      const pairs = HOLDS.flatMap((one) => HOLDS.map((other) => [one, other] as const));
      const first = 1 + lines.length;
      if (isPresent) await committing(server.postgres)([command(pairs.map((_, index) => stored(first + index)))]);
      const cases = pairs.map(async ([one, other], index) => {
        const subject = numberedId(first + index);
        const end: Work = async (holder) => {
          await move(holder, subject);
          if (!commits) throw new Error('rolls back');
        };
        const met = await meeting(server, { first: locking(subject, one), second: locking(subject, other), end });
        return `${one} then ${other}, present: ${isPresent}, commits: ${commits}: ${met}`;
      });
      lines.push(...(await Promise.all(cases)));
    }
  return lines;
};

const others: Script = async (server) => {
  await committing(server.postgres)([command([stored(1)])]);
  const entry = { ref: 'one', memoryId: PRESENT, vector: Float32Array.of(1) };
  const moved = (holder: Queryable): Promise<unknown> => move(holder, PRESENT);
  return [
    await meeting(server, { first: locking(PRESENT, 'change'), second: locking(PRESENT, 'keep'), end: moved }),
    await meeting(server, {
      first: locking(ABSENT, 'keep', ['a']),
      second: locking(ABSENT, 'keep', ['a']),
      end: async () => 0,
    }),
    await meeting(server, {
      first: locking(ABSENT, 'keep', ['a']),
      second: locking(ABSENT, 'keep', ['b']),
      end: async () => 0,
    }),
    await meeting(server, {
      first: locking(PRESENT, 'keep'),
      second: (to) => putEntries(to, [entry]),
      end: async () => 0,
    }),
    await meeting(server, {
      first: locking(PRESENT, 'change'),
      second: (to) => putEntries(to, [entry]),
      end: async () => 0,
    }),
  ];
};

/** Longer than a transaction may be idle, and longer than a statement may wait for a lock. */
const limits: Script = async (server) => {
  await committing(server.postgres)([command([stored(1)])]);
  const lock = locking(PRESENT, 'change');
  const idle = meeting(server, {
    first: locking(ABSENT, 'fresh'),
    second: locking(ABSENT, 'fresh'),
    end: () => pass(4_000),
  });
  const busy = meeting(server, {
    first: lock,
    second: lock,
    end: async (holder) => {
      for (let second = 1; second <= 6; second += 1) {
        await pass(1_000);
        await lock(holder);
      }
    },
  });
  return [await idle, await busy];
};

const sessions: Script = async ({ postgres, endSessions }) => {
  const take = () => holdLock(postgres, { acquire: MAINTENANCE_LOCK, params: [4], leaseMs: 60_000 });
  const first = await take();
  const lines = [`second taker: ${String((await take())?.lost.aborted)}`];
  await endSessions();
  await until('the session is lost', () => first?.lost.aborted === true);
  lines.push(await Promise.resolve(first?.session.query('SELECT 1')).then(() => 'answers', reportOf));
  const next = await until('the lock is free', take);
  lines.push(`next taker: ${String(next.lost.aborted)}`);
  await next.release();
  await until('the lock is free again', async () => {
    const last = await take();
    await last?.release();
    return last !== null;
  });
  const session = await postgres.session();
  await session.query('SET idle_session_timeout = 200');
  await until('the idle session is ended', () => session.lost.aborted);
  lines.push(await session.query('SELECT 1').then(() => 'answers', reportOf));
  await session.close();
  await first?.release();
  return lines;
};

const END_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;

if (isServerWanted('postgres')) {
  describe('the simulated Postgres', () => {
    /** Runs the script over both at the same time. */
    async function expectSameReports(script: Script): Promise<void> {
      const [real, model] = [await openTemporaryPostgres(), await openSimulatedDatabase()];
      const client = real.openAnother({ poolSize: POOL_SIZE });
      try {
        const endModel = async (): Promise<void> => model.server.endSessions();
        const endReal = async (): Promise<void> => void (await real.postgres.query(END_OTHERS));
        const [wanted, found] = await Promise.all([
          script({ postgres: client, endSessions: endReal }),
          script({ postgres: model.postgres, endSessions: endModel }),
        ]);
        expect(found).to.deep.equal(wanted);
      } finally {
        await client.close();
        await model.postgres.close();
        await real.remove();
      }
    }

    it('locks subjects in each mode like the real one', () => expectSameReports(subjects));
    it('locks keys and cached vectors like the real one', () => expectSameReports(others));
    it('ends long waits and idle transactions like the real one', () => expectSameReports(limits));
    it('frees the locks of a lost session like the real one', () => expectSameReports(sessions));
  });
}
