/** How the schema is migrated in Postgres, and how a process rejects another version. */
import { expect } from 'chai';
import { migratePostgres, requireSchema } from '../../../shared/engines/postgres/connection/migrate-postgres.js';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { POSTGRES_SCHEMA } from '../../../shared/engines/postgres/schema/schema.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

const INSTALLERS = 20;

if (isServerWanted('postgres')) {
  describe('Postgres migrations', () => {
    let temporary: TemporaryPostgres;
    let postgres: Postgres;
    beforeEach(async () => {
      temporary = await openTemporaryPostgres({ empty: true });
      postgres = temporary.postgres;
    });
    afterEach(() => temporary.remove());

    it('run once when twenty installers start at the same time', async () => {
      const hosts = Array.from({ length: INSTALLERS }, () => temporary.openAnother({ poolSize: 1 }));
      const all = await Promise.all(hosts.map((host) => migratePostgres(host, POSTGRES_SCHEMA))).finally(() =>
        Promise.all(hosts.map((host) => host.close())),
      );
      for (const [index, { component, steps }] of POSTGRES_SCHEMA.entries()) {
        const migrated = all.map((components) => components[index]);
        expect(
          migrated.filter((one) => one?.from === 0),
          component,
        ).to.deep.equal([{ component, from: 0, to: steps.length }]);
        expect(
          migrated.filter((one) => one?.from === steps.length),
          component,
        ).to.have.lengthOf(INSTALLERS - 1);
      }
      await requireSchema(postgres, POSTGRES_SCHEMA);
    });

    it('migrate an earlier schema to the newest, step by step', async () => {
      const first = { component: 'notes', steps: ['CREATE TABLE notes (text text); INSERT INTO notes VALUES (1)'] };
      const second = {
        component: 'notes',
        steps: [...first.steps, 'ALTER TABLE notes ADD COLUMN more text', 'UPDATE notes SET more = text'],
      };
      await migratePostgres(postgres, [first]);
      expect((await rejection(requireSchema(postgres, [second]))).message).to.match(
        /holds version 1 of 'notes' .* needs version 3: run `npx palimpsest migrate`/u,
      );
      expect(await migratePostgres(postgres, [second])).to.deep.equal([{ component: 'notes', from: 1, to: 3 }]);
      expect((await postgres.query('SELECT * FROM notes')).rows).to.deep.equal([{ text: '1', more: '1' }]);
    });

    it('begin again after a deadlock with a running process', async () => {
      await postgres.query('CREATE TABLE one (text text); CREATE TABLE two (text text)');
      const other = temporary.openAnother({ poolSize: 1 });
      let holdsOne = (): void => undefined;
      const held = new Promise<void>((resolve) => (holdsOne = resolve));
      const traffic = other
        .transaction(async (transaction) => {
          // The server ends the first transaction that has waited for its deadlock_timeout: this one waits without end.
          await transaction.query("SET LOCAL deadlock_timeout = '1min'");
          await transaction.query("INSERT INTO one VALUES ('row')");
          holdsOne();
          await until('the migration has the lock of the other table', () => isLocked('two'));
          await transaction.query("INSERT INTO two VALUES ('row')");
        })
        .finally(() => other.close());
      await held;
      const component = {
        component: 'notes',
        steps: ['ALTER TABLE two ADD COLUMN more text', 'ALTER TABLE one ADD COLUMN more text'],
      };
      expect(await migratePostgres(postgres, [component])).to.deep.equal([{ component: 'notes', from: 0, to: 2 }]);
      await traffic;
    });

    async function isLocked(table: string): Promise<boolean> {
      const watcher = temporary.openAnother({ poolSize: 1 });
      const { rows } = await watcher
        .query(
          `SELECT FROM pg_locks WHERE relation = '${table}'::regclass AND mode = 'AccessExclusiveLock' AND granted`,
        )
        .finally(() => watcher.close());
      return rows.length > 0;
    }

    it('leave a component unchanged when a step fails', async () => {
      const broken = {
        component: 'notes',
        steps: ['CREATE TABLE notes (text text)', 'ALTER TABLE nowhere ADD COLUMN more text'],
      };
      await rejection(migratePostgres(postgres, [broken]));
      expect((await postgres.query(`SELECT to_regclass('notes') AS found`)).rows).to.deep.equal([{ found: null }]);
      await rejection(requireSchema(postgres, [broken]));
    });

    it('are required by a process that finds none', async () => {
      const error = await rejection(requireSchema(postgres, POSTGRES_SCHEMA));
      expect(error)
        .to.be.instanceOf(ConfigurationError)
        .with.property('message')
        .that.match(/run `npx palimpsest migrate`/u);
    });

    it('reject a database of a later version, as a starting process does', async () => {
      await migratePostgres(postgres, POSTGRES_SCHEMA);
      await postgres.query(`UPDATE schema_migrations SET version = 99 WHERE room = 'journal'`);
      for (const refused of [migratePostgres(postgres, POSTGRES_SCHEMA), requireSchema(postgres, POSTGRES_SCHEMA)]) {
        const error = await rejection(refused);
        expect(error)
          .to.be.instanceOf(ConfigurationError)
          .with.property('message')
          .that.match(/version 99 of 'journal', made by a later version/u);
      }
    });
  });
}
