/**
 * A temporary database in the test Postgres, with all tables and no rows. A closed database waits for the next test of
 * the process, which empties it: a new database with its migrations costs ten times as much.
 */
import { randomUUID } from 'node:crypto';
import { migratePostgres } from '../../../shared/engines/postgres/connection/migrate-postgres.js';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { createPostgres } from '../../../shared/engines/postgres/connection/postgres-pool.js';
import type { PostgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { POSTGRES_SCHEMA } from '../../../shared/engines/postgres/schema/schema.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { describeSchema, emptyDatabase } from './empty-database.js';
import { serverAddress } from './servers.js';

export type TemporaryPostgres = {
  readonly postgres: Postgres;
  readonly config: PostgresConfig;
  /** Opens another host on the same database, like another process. The caller closes it. */
  readonly openAnother: (overrides?: Partial<PostgresConfig>) => Postgres;
  /** Closes the host. The test no longer uses the database. */
  readonly remove: () => Promise<void>;
};

/** `schema`: the description of its schema after the migrations. */
type IdleDatabase = { readonly name: string; readonly schema: string };

/** The migrated databases that no test of this process uses. They have the rows of their last test. */
const idle: IdleDatabase[] = [];

/**
 * `empty`: a new database without tables, for a test that migrates it. A test may alter the schema of each database:
 * then no other test uses it.
 */
export async function openTemporaryPostgres({
  empty = false,
}: { readonly empty?: boolean } = {}): Promise<TemporaryPostgres> {
  if (empty) return openNewDatabase();
  for (let found = idle.pop(); found !== undefined; found = idle.pop()) {
    const opened = openHost(found.name);
    if (await emptyDatabase(opened.postgres, found.schema)) return returning(opened, found);
    await opened.postgres.close();
    await dropDatabase(found.name);
  }
  const opened = await openNewDatabase();
  await migratePostgres(opened.postgres, POSTGRES_SCHEMA);
  return returning(opened, { name: opened.name, schema: await describeSchema(opened.postgres) });
}

/** Drops the databases that no test uses. */
export async function dropIdleDatabases(): Promise<void> {
  for (const { name } of idle.splice(0)) await dropDatabase(name);
}

/** Removing it makes the database idle. */
function returning(opened: Omit<TemporaryPostgres, 'remove'>, database: IdleDatabase): TemporaryPostgres {
  return {
    ...opened,
    remove: async () => {
      await opened.postgres.close();
      idle.push(database);
    },
  };
}

/** A database without tables. Removing it drops it. */
async function openNewDatabase(): Promise<TemporaryPostgres & { readonly name: string }> {
  const name = `palimpsest_test_${randomUUID().replaceAll('-', '')}`;
  await asAdministrator((server) => server.query(`CREATE DATABASE ${name} TEMPLATE template0`));
  const opened = openHost(name);
  return {
    ...opened,
    name,
    remove: async () => {
      await opened.postgres.close();
      await dropDatabase(name);
    },
  };
}

function openHost(database: string): Omit<TemporaryPostgres, 'remove'> {
  const config = postgresConfig({ POSTGRES_URL: urlOf(database) });
  const openAnother = (overrides: Partial<PostgresConfig> = {}): Postgres =>
    createPostgres({ config: { ...config, ...overrides }, logger: silentLogger });
  return { postgres: openAnother(), config, openAnother };
}

async function dropDatabase(name: string): Promise<void> {
  await asAdministrator((server) => server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

/** Runs work in the database that the address names. Tests neither fill nor drop that one. */
export async function asAdministrator<T>(work: (server: Postgres) => Promise<T>): Promise<T> {
  const server = createPostgres({
    config: { ...postgresConfig({ POSTGRES_URL: serverAddress('postgres') }), poolSize: 1 },
    logger: silentLogger,
  });
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

function urlOf(database: string): string {
  const url = new URL(serverAddress('postgres'));
  url.pathname = `/${database}`;
  return url.href;
}
