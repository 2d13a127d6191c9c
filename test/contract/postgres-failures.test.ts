/** What the Postgres host says and does when the way to the server, or the server itself, fails. */
import { expect } from 'chai';
import { ConfigurationError } from '../../shared/kernel/config.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import type { PostgresConfig } from '../../shared/postgres/postgres-variables.js';
import type { Postgres } from '../../shared/postgres/postgres.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../support/postgres.js';
import { rejection } from '../support/rejection.js';
import { isServerWanted } from '../support/servers.js';
import { openTcpGate, type TcpGate } from '../support/tcp-gate.js';
import { until } from '../support/until.js';

if (isServerWanted('postgres')) {
  describe('the Postgres host on bad days', () => {
    let temporary: TemporaryPostgres;
    let gate: TcpGate;
    let postgres: Postgres;
    beforeEach(async () => {
      temporary = await openTemporaryPostgres({ empty: true });
      await temporary.postgres.query('CREATE TABLE notes (text text)');
      const { hostname, port } = new URL(temporary.config.url);
      gate = await openTcpGate({ host: hostname, port: Number(port || 5432) });
      postgres = temporary.another({
        url: urlWith({ host: `127.0.0.1:${gate.port}` }),
        statementTimeoutMs: 500,
        connectTimeoutMs: 2_000,
      });
    });
    afterEach(async () => {
      await postgres.close();
      await gate.close();
      await temporary.remove();
    });

    const count = async (): Promise<number> => (await temporary.postgres.query('SELECT FROM notes')).count;
    const insert = `INSERT INTO notes VALUES ('one')`;

    function urlWith(parts: Partial<Pick<URL, 'host' | 'username' | 'password' | 'pathname'>>): string {
      return Object.assign(new URL(temporary.config.url), parts).href;
    }

    async function failureWith(overrides: Partial<PostgresConfig>): Promise<Error> {
      const host = temporary.another(overrides);
      return rejection(host.query('SELECT 1')).finally(() => host.close());
    }

    it('says what is wrong with the configuration where waiting cannot help', async () => {
      for (const [url, problem] of [
        [urlWith({ pathname: '/nowhere' }), /does not exist: create it/u],
        [urlWith({ username: 'nobody', password: 'wrong' }), /refuses this user or password: check POSTGRES_URL/u],
      ] as const) {
        const error = await failureWith({ url });
        expect(error).to.be.instanceOf(ConfigurationError);
        expect(error.message).to.match(problem).and.not.include('wrong');
      }
    });

    it('can be asked again where nobody listens, or nobody answers', async () => {
      const { port } = gate;
      gate.hold();
      const silent = await rejection(postgres.query('SELECT 1'));
      await gate.close();
      const refused = await failureWith({ url: urlWith({ host: `127.0.0.1:${port}` }) });
      for (const error of [silent, refused]) {
        expect(error).to.be.instanceOf(DependencyError).with.property('outcomeUnknown', false);
        expect(error.message).to.match(/does not answer: check that it runs/u);
      }
    });

    it('waits no longer for a server that stands still, and closes all the same', async () => {
      await postgres.query('SELECT 1');
      const session = await postgres.session();
      gate.hold();
      const [one, other] = await Promise.all([
        rejection(postgres.query('SELECT 1')),
        rejection(session.query('SELECT 1')),
      ]);
      for (const error of [one, other])
        expect(error)
          .to.be.instanceOf(DependencyError)
          .with.property('message')
          .that.match(/did not answer in time/u);
      expect(session.lost.aborted).to.equal(true);
      await session.close();
      await postgres.close();
      postgres = temporary.another();
    });

    it('closes while a server stands still', async () => {
      await postgres.query('SELECT 1');
      const session = await postgres.session();
      gate.hold();
      await Promise.all([session.close(), postgres.close()]);
      postgres = temporary.another();
    });

    it('goes on by itself when the server is back', async () => {
      await postgres.query('SELECT 1');
      gate.cut();
      await until('a query is answered again', () =>
        postgres.query('SELECT 1').then(
          () => true,
          (error: unknown) => {
            expect(error).to.be.instanceOf(DependencyError);
            return false;
          },
        ),
      );
    });

    it('tells a session that it was lost', async () => {
      const session = await postgres.session();
      gate.cut();
      await until('the session knows', () => session.lost.aborted);
      expect(await rejection(session.query('SELECT 1'))).to.be.instanceOf(DependencyError);
      await session.close();
    });

    it('has committed nothing when the connection ends before the COMMIT', async () => {
      const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
      for (const cut of [gate.cut, () => temporary.postgres.query(terminate)]) {
        const error = await rejection(
          postgres.transaction(async (transaction) => {
            await transaction.query(insert);
            await cut();
            await transaction.query(insert);
          }),
        );
        expect(error).to.be.instanceOf(DependencyError).with.property('outcomeUnknown', false);
      }
      expect(await count()).to.equal(0);
    });

    it('says that the outcome is unknown when the answer to COMMIT is lost', async () => {
      gate.loseAnswerTo('COMMIT');
      const error = await rejection(postgres.transaction((transaction) => transaction.query(insert)));
      expect(error).to.be.instanceOf(DependencyError).with.property('outcomeUnknown', true);
      await until('it stands', async () => (await count()) === 1);
    });

    it('says that the outcome is unknown when the COMMIT gets no answer', async () => {
      const error = await rejection(
        postgres.transaction(async (transaction) => {
          await transaction.query(insert);
          gate.hold();
        }),
      );
      expect(error).to.be.instanceOf(DependencyError).with.property('outcomeUnknown', true);
    });
  });
}
