/** The test databases: each test gets one that shows nothing of the tests before it. */
import { expect } from 'chai';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { appendToPostgres } from '../../support/adapters/journals.js';
import { stored } from '../../support/fixtures/events.js';
import { describeSchema } from '../../support/servers/empty-database.js';
import { dropIdleDatabases, openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

const TABLES = `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname`;
const SEQUENCES = 'SELECT sequencename, last_value FROM pg_sequences ORDER BY sequencename';
const SIZES = `
  SELECT relname, relpages, reltuples, relallvisible, reloptions, pg_relation_size(oid) AS bytes FROM pg_class
  WHERE oid >= 16384 ORDER BY relname`;
const STATISTICS = 'SELECT count(*) AS count FROM pg_statistic WHERE starelid >= 16384';
const COUNTERS = `SELECT relname, n_tup_ins, n_tup_upd, n_dead_tup, last_analyze FROM pg_stat_user_tables WHERE last_analyze IS NOT NULL OR n_dead_tup > 0`;
/** Without those of the query itself. */
const LOCKS = `
  SELECT locktype, mode FROM pg_locks
  WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid <> pg_backend_pid()`;
const SESSIONS =
  'SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
const IDENTITY = 'SELECT id FROM journal_identity';
const NAME = 'SELECT current_database() AS name';
const CHANGES = [
  'ALTER TABLE outbox SET (autovacuum_enabled = false)',
  'ALTER TABLE journal ADD COLUMN more text',
  'ALTER TABLE journal ALTER COLUMN actor DROP NOT NULL',
  'ALTER TABLE journal ALTER COLUMN recorded_at DROP DEFAULT',
  'CREATE TABLE notes (text text)',
  'CREATE INDEX journal_more ON journal (time)',
  'DROP INDEX journal_subject',
  'DROP TABLE schema_migrations',
  "UPDATE schema_migrations SET version = version - 1 WHERE room = 'journal'",
  'ALTER FUNCTION owner_is_gone(uuid, integer) COST 5',
  'CREATE SCHEMA other',
  `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET jit = on', current_database()); END $$`,
];

if (isServerWanted('postgres')) {
  describe('a test database', () => {
    let temporary: TemporaryPostgres;
    beforeEach(dropIdleDatabases);
    afterEach(() => temporary.remove());

    it('equals a new one after a test has used it', async () => {
      temporary = await openTemporaryPostgres();
      const before = await describeState(temporary.postgres);
      const used = await fill(temporary);
      expect(await describeState(temporary.postgres)).to.not.deep.equal(before);
      await temporary.remove();

      temporary = await openTemporaryPostgres();
      expect(await only(temporary.postgres, NAME)).to.deep.equal(used.name);
      expect(await only(temporary.postgres, IDENTITY)).to.not.deep.equal(used.identity);
      expect(await describeState(temporary.postgres)).to.deep.equal(before);
      await appendToPostgres(temporary.postgres, [stored(1)]);
      expect(await only(temporary.postgres, 'SELECT position FROM journal')).to.deep.equal({ position: 1 });
    });

    it('has another identity of its journal than each database before it', async () => {
      const identities = [];
      for (let test = 0; test < 3; test += 1) {
        temporary = await openTemporaryPostgres();
        identities.push(JSON.stringify(await only(temporary.postgres, IDENTITY)));
        if (test < 2) await temporary.remove();
      }
      expect(new Set(identities).size).to.equal(3);
    });

    it('is not used again when a test has altered its schema', async () => {
      temporary = await openTemporaryPostgres();
      const name = await only(temporary.postgres, NAME);
      await temporary.postgres.query('ALTER TABLE outbox SET (autovacuum_enabled = false)');
      await temporary.remove();

      temporary = await openTemporaryPostgres();
      expect(await only(temporary.postgres, NAME)).to.not.deep.equal(name);
    });

    it('shows each change of its schema', async () => {
      temporary = await openTemporaryPostgres();
      const schema = await describeSchema(temporary.postgres);
      for (const change of CHANGES)
        await temporary.postgres
          .transaction(async (transaction) => {
            await transaction.query(change);
            expect(await describeSchema(transaction), change).to.not.equal(schema);
            throw new Error('rolled back');
          })
          .catch((error: Error) => expect(error.message).to.equal('rolled back'));
      expect(await describeSchema(temporary.postgres)).to.equal(schema);
    });
  });
}

/** Fills tables, and leaves sessions with locks, LISTEN and statistics. */
async function fill({ postgres, openAnother }: TemporaryPostgres): Promise<Record<'name' | 'identity', unknown>> {
  await appendToPostgres(postgres, [stored(1), stored(2)]);
  await postgres.query(`
    INSERT INTO jobs (kind, request) VALUES ('reindex', '{}');
    DELETE FROM jobs;
    UPDATE relay_epoch SET epoch = 7;
    UPDATE journal_identity SET has_marked_graph = true, lost_position = 3;
    SELECT nextval('vector_space_numbers');
    ANALYZE`);
  const session = await openAnother().session();
  await session.query('LISTEN changes');
  await session.query('SELECT pg_advisory_lock(1885436016, 3)');
  await session.query('BEGIN');
  await session.query('SELECT FROM journal FOR UPDATE');
  return { name: await only(postgres, NAME), identity: await only(postgres, IDENTITY) };
}

async function describeState(postgres: Postgres): Promise<unknown> {
  const { rows: tables } = await postgres.query<{ name: string }>(TABLES);
  const counts: Record<string, unknown> = {};
  for (const { name } of tables) counts[name] = await only(postgres, `SELECT count(*) AS count FROM ${name}`);
  const queries = { SEQUENCES, SIZES, STATISTICS, COUNTERS, LOCKS, SESSIONS };
  const state: Record<string, unknown> = {
    counts,
    epoch: await only(postgres, 'SELECT epoch FROM relay_epoch'),
    mark: await only(postgres, `SELECT to_jsonb(journal_identity) - 'id' AS row FROM journal_identity`),
  };
  for (const [name, query] of Object.entries(queries)) state[name] = (await postgres.query(query)).rows;
  return state;
}

async function only(postgres: Postgres, query: string): Promise<unknown> {
  return (await postgres.query(query)).rows[0];
}
