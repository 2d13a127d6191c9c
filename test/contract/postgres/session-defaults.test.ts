/** Defaults of the server, the database or the role never weaken our transactions. */
import { expect } from 'chai';
import type { Queryable, Row } from '../../../shared/engines/postgres/connection/postgres.js';
import { requireSessions } from '../../../shared/engines/postgres/connection/require-sessions.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

const SETTINGS =
  "SELECT current_setting('transaction_isolation') AS isolation, current_setting('synchronous_commit') AS commit";

if (isServerWanted('postgres')) {
  describe('Postgres defaults', () => {
    let temporary: TemporaryPostgres;
    beforeEach(async () => {
      temporary = await openTemporaryPostgres({ empty: true });
    });
    afterEach(() => temporary.remove());

    /** New connections of the database get these defaults, like those of a role. */
    async function withDefaults(defaults: Readonly<Record<string, string>>): Promise<readonly Row[]> {
      const { rows } = await temporary.postgres.query<{ name: string }>('SELECT current_database() AS name');
      for (const [name, value] of Object.entries(defaults))
        await temporary.postgres.query(`ALTER DATABASE ${rows[0]?.name} SET ${name} = '${value}'`);
      const another = temporary.openAnother();
      const session = await another.session();
      const settings = async (queryable: Queryable) => (await queryable.query(SETTINGS)).rows[0] ?? {};
      const seen = [await settings(another), await another.transaction(settings), await settings(session)];
      const withLimit = await another.transaction(settings, { timeoutMs: 5_000 });
      await session.close();
      await another.close();
      return [...seen, withLimit];
    }

    it('do not weaken isolation level and synchronous_commit', async () => {
      const seen = await withDefaults({ default_transaction_isolation: 'serializable', synchronous_commit: 'off' });
      expect(seen).to.deep.equal(Array.from({ length: 4 }, () => ({ isolation: 'read committed', commit: 'on' })));
    });

    it('may make commits safer', async () => {
      const seen = await withDefaults({ synchronous_commit: 'remote_apply' });
      expect(seen.map(({ commit }) => commit)).to.deep.equal(Array.from({ length: 4 }, () => 'remote_apply'));
    });

    it('do not matter when a statement changed them', async () => {
      const host = temporary.openAnother({ poolSize: 1 });
      await host.query("SET default_transaction_isolation = 'serializable'");
      expect(await host.transaction(async (transaction) => (await transaction.query(SETTINGS)).rows[0])).to.include({
        isolation: 'read committed',
      });
      await host.close();
    });

    it('come with sessions that requireSessions accepts', async () => {
      await requireSessions(temporary.postgres);
    });
  });
}
