/** The guarantees of the Postgres host to adapters while the server works. */
import { expect } from 'chai';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

const WAITS_FOR_LOCK = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

if (isServerWanted('postgres')) {
  describe('Postgres host', () => {
    let temporary: TemporaryPostgres;
    let postgres: Postgres;
    beforeEach(async () => {
      temporary = await openTemporaryPostgres({ empty: true });
      postgres = temporary.postgres;
      await postgres.query('CREATE TABLE notes (id bigint PRIMARY KEY, text text)');
    });
    afterEach(() => temporary.remove());

    const texts = async (): Promise<readonly unknown[]> =>
      (await postgres.query('SELECT text FROM notes ORDER BY id')).rows.map(({ text }) => text);
    const limited = async <T>(
      overrides: Parameters<TemporaryPostgres['openAnother']>[0],
      work: (host: Postgres) => Promise<T>,
    ): Promise<T> => {
      const host = temporary.openAnother(overrides);
      return work(host).finally(() => host.close());
    };

    it('returns rows in our types, and their count', async () => {
      const { rows, count } = await postgres.query(
        { name: 'types', text: 'SELECT $1::bigint AS big, $2::bytea AS bytes, NULL AS nothing' },
        [7, Buffer.of(1, 2)],
      );
      expect(rows).to.deep.equal([{ big: 7, bytes: Buffer.of(1, 2), nothing: null }]);
      expect(count).to.equal(1);
      expect(await postgres.query(`INSERT INTO notes VALUES (1, 'a'); UPDATE notes SET text = 'b'`)).to.deep.equal({
        rows: [],
        count: 1,
      });
    });

    it('commits the work, and rolls it back when it throws', async () => {
      await postgres.transaction((transaction) => transaction.query(`INSERT INTO notes VALUES (1, 'kept')`));
      const refusal = await rejection(
        postgres.transaction(async (transaction) => {
          await transaction.query(`INSERT INTO notes VALUES (2, 'gone')`);
          throw new Error('changed my mind');
        }),
      );
      expect(refusal.message).to.equal('changed my mind');
      expect(await texts()).to.deep.equal(['kept']);
    });

    it('rejects a transaction whose work ignored a failed statement', async () => {
      const error = await rejection(
        postgres.transaction(async (transaction) => {
          await transaction.query(`INSERT INTO notes VALUES (1, 'gone')`);
          await rejection(transaction.query('SELECT FROM nowhere'));
        }),
      );
      expect(error.message).to.match(/nothing was committed/u);
      expect(await texts()).to.deep.equal([]);
    });

    it('commits with a last statement, and returns its rows', async () => {
      const { rows } = await postgres.transaction(async (transaction) => {
        await transaction.query(`INSERT INTO notes VALUES (1, 'kept')`);
        return transaction.queryAndCommit('SELECT text FROM notes');
      });
      expect(rows).to.deep.equal([{ text: 'kept' }]);
      expect(await texts()).to.deep.equal(['kept']);
    });

    it('rolls back when the last statement is refused, and keeps the connection', async () => {
      await limited({ poolSize: 1 }, async (host) => {
        const pid = async () => (await host.query('SELECT pg_backend_pid() AS pid')).rows;
        const before = await pid();
        const refusal = await rejection(
          host.transaction(async (transaction) => {
            await transaction.query(`INSERT INTO notes VALUES (1, 'gone')`);
            return transaction.queryAndCommit('SELECT 1 / 0');
          }),
        );
        expect(refusal).to.have.property('code', '22012');
        expect(await pid()).to.deep.equal(before);
      });
      expect(await texts()).to.deep.equal([]);
    });

    it('refuses a statement after the commit of a transaction', async () => {
      const error = await rejection(
        postgres.transaction(async (transaction) => {
          await transaction.queryAndCommit(`INSERT INTO notes VALUES (1, 'kept')`);
          await transaction.query(`INSERT INTO notes VALUES (2, 'never')`);
        }),
      );
      expect(error.message).to.match(/queryAndCommit must be its last statement/u);
      expect(await texts()).to.deep.equal(['kept']);
    });

    it('rethrows mistakes in our own statements unchanged', async () => {
      expect(await rejection(postgres.query('SELECT FROM nowhere'))).to.have.property('code', '42P01');
    });

    it('ends a statement and a wait for a lock at their timeouts', async () => {
      await limited({ statementTimeoutMs: 500, lockTimeoutMs: 200, poolSize: 2 }, async (host) => {
        expect(await rejection(host.query('SELECT pg_sleep(5)')))
          .to.be.instanceOf(DependencyError)
          .with.property('message')
          .that.match(/in time/u);
        await postgres.transaction(async (transaction) => {
          await transaction.query('LOCK TABLE notes');
          expect(await rejection(host.query('LOCK TABLE notes; SELECT 1')))
            .to.be.instanceOf(DependencyError)
            .with.property('outcomeUnknown', false);
        });
      });
    });

    it('gives a transaction its requested timeout', async () => {
      await limited({ statementTimeoutMs: 500, lockTimeoutMs: 500 }, async (host) => {
        await host.transaction(
          (transaction) => transaction.query(`SELECT pg_sleep(0.7); INSERT INTO notes VALUES (1, 'late')`),
          { timeoutMs: 5_000 },
        );
      });
      expect(await texts()).to.deep.equal(['late']);
    });

    it('ends an idle transaction, so that others get its locks', async () => {
      await limited({ idleTransactionTimeoutMs: 500 }, async (host) => {
        const error = await rejection(
          host.transaction(async (transaction) => {
            await transaction.query('LOCK TABLE notes');
            await postgres.query(`INSERT INTO notes VALUES (1, 'afterwards')`);
          }),
        );
        expect(error).to.be.instanceOf(DependencyError).with.property('outcomeUnknown', false);
      });
      expect(await texts()).to.deep.equal(['afterwards']);
    });

    it('rejects calls above its queue limit, and calls that wait too long', async () => {
      await limited({ poolSize: 1, queueLimit: 1, connectTimeoutMs: 1_000 }, async (host) => {
        await host.transaction(async () => {
          const waiting = rejection(host.query('SELECT 1'));
          expect((await rejection(host.query('SELECT 1'))).message).to.match(/1 calls already wait/u);
          expect(await waiting)
            .to.be.instanceOf(DependencyError)
            .with.property('message')
            .that.match(/POSTGRES_POOL_SIZE/u);
        });
      });
    });

    it('lets running statements finish when it closes', async () => {
      const host = temporary.openAnother();
      await postgres.transaction(async (transaction) => {
        await transaction.query('LOCK TABLE notes');
        const insert = host.query(`INSERT INTO notes VALUES (1, 'finished')`);
        await until('the insert waits', async () => (await postgres.query(WAITS_FOR_LOCK)).count > 0);
        const closed = host.close();
        await transaction.query('COMMIT; BEGIN');
        await Promise.all([insert, closed]);
      });
      expect(await texts()).to.deep.equal(['finished']);
    });

    it('wakes listening sessions, and releases the locks of a closed session', async () => {
      const [one, other] = [await postgres.session(), await postgres.session()];
      const woken = new Promise<void>(
        (resolve) => void one.listen('Some channel', resolve).then(() => other.query(`NOTIFY "Some channel"`)),
      );
      await woken;
      await one.query('SELECT pg_advisory_lock(1)');
      const tryLock = async () => (await other.query('SELECT pg_try_advisory_lock(1) AS got')).rows[0]?.['got'];
      expect(await tryLock()).to.equal(false);
      await one.close();
      expect(one.lost.aborted).to.equal(true);
      await until('the lock is free', tryLock);
      await other.close();
    });
  });
}
