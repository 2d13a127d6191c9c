/** How the Postgres host behaves when the network or the server fails. */
import { expect } from 'chai';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import type { PostgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { COMMIT_MESSAGE, openTcpGate, type TcpGate } from '../../support/faults/tcp-gate.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

const STATEMENT_TIMEOUT_MS = 500;
/**
 * The statement timeout, 1,000 ms until the answer counts as late, 500 ms for the sockets, and 2,000 ms for a busy
 * machine.
 */
const CLOSE_LIMIT_MS = STATEMENT_TIMEOUT_MS + 1_000 + 500 + 2_000;

if (isServerWanted('postgres')) {
  describe('Postgres host failures', () => {
    let temporary: TemporaryPostgres;
    let gate: TcpGate;
    let postgres: Postgres;
    beforeEach(async () => {
      temporary = await openTemporaryPostgres({ empty: true });
      await temporary.postgres.query('CREATE TABLE notes (text text)');
      const { hostname, port } = new URL(temporary.config.url);
      gate = await openTcpGate({ host: hostname, port: Number(port || 5432) });
      postgres = temporary.openAnother({
        url: urlWith({ host: `127.0.0.1:${gate.port}` }),
        statementTimeoutMs: STATEMENT_TIMEOUT_MS,
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
      const host = temporary.openAnother(overrides);
      return rejection(host.query('SELECT 1')).finally(() => host.close());
    }

    it('are configuration errors when waiting cannot help', async () => {
      for (const [url, problem] of [
        [urlWith({ pathname: '/nowhere' }), /does not exist: create it/u],
        [urlWith({ username: 'nobody', password: 'wrong' }), /refuses this user or password: check POSTGRES_URL/u],
      ] as const) {
        const error = await failureWith({ url });
        expect(error).to.be.instanceOf(ConfigurationError);
        expect(error.message).to.match(problem).and.not.include('wrong');
      }
    });

    it('are retryable when the server is unreachable or does not answer', async () => {
      const { port } = gate;
      gate.hold();
      const silent = await rejection(postgres.query('SELECT 1'));
      await gate.close();
      const refused = await failureWith({ url: urlWith({ host: `127.0.0.1:${port}` }) });
      for (const error of [silent, refused])
        expect(error).to.be.instanceOf(DependencyError).with.property('outcomeUnknown', false);
      expect(silent.message).to.match(/did not accept a connection in time/u);
      expect(refused.message).to.match(/does not answer: check that it runs/u);
    });

    it('end the wait for a server that hangs, and the host still closes', async () => {
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
      postgres = temporary.openAnother();
    });

    it('close in time while the server hangs, and reject later calls', async () => {
      await postgres.query('SELECT 1');
      const session = await postgres.session();
      gate.hold();
      const startedAt = performance.now();
      await Promise.all([session.close(), postgres.close()]);
      expect(performance.now() - startedAt).to.be.below(CLOSE_LIMIT_MS);
      expect(session.lost.aborted).to.equal(true);
      expect(await rejection(postgres.query('SELECT 1'))).to.be.instanceOf(DependencyError);
      expect(await rejection(session.query('SELECT 1'))).to.be.instanceOf(DependencyError);
      postgres = temporary.openAnother();
    });

    it('end by themselves when the server is back', async () => {
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

    it('mark a session as lost', async () => {
      const session = await postgres.session();
      gate.cut();
      await until('the session is lost', () => session.lost.aborted);
      expect(await rejection(session.query('SELECT 1'))).to.be.instanceOf(DependencyError);
      await session.close();
    });

    it('commit nothing when the connection ends before the COMMIT', async () => {
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

    it('have an unknown outcome when the answer to COMMIT is lost', async () => {
      gate.dropReplyTo(COMMIT_MESSAGE);
      const error = await rejection(postgres.transaction((transaction) => transaction.query(insert)));
      expect(error).to.be.instanceOf(DependencyError).with.property('outcomeUnknown', true);
      await until('the row is committed', async () => (await count()) === 1);
    });

    it('have an unknown outcome when the COMMIT gets no answer', async () => {
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
