/** A temporary database in the test Postgres, with all tables and no rows. Closing it drops the database. */
import { randomUUID } from 'node:crypto';
import { migratePostgres } from '../../../shared/engines/postgres/connection/migrate-postgres.js';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { createPostgres } from '../../../shared/engines/postgres/connection/postgres-pool.js';
import type { PostgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { POSTGRES_SCHEMA } from '../../../shared/engines/postgres/schema/schema.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { serverAddress } from './servers.js';

export type TemporaryPostgres = {
  readonly postgres: Postgres;
  readonly config: PostgresConfig;
  /** Opens another host on the same database, like another process. The caller closes it. */
  readonly openAnother: (overrides?: Partial<PostgresConfig>) => Postgres;
  /** Closes the host and removes the database. */
  readonly remove: () => Promise<void>;
};

export async function openTemporaryPostgres({
  empty = false,
}: { readonly empty?: boolean } = {}): Promise<TemporaryPostgres> {
  const name = `palimpsest_test_${randomUUID().replaceAll('-', '')}`;
  await asAdministrator(async (server) => {
    await server.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  });
  const config = postgresConfig({ POSTGRES_URL: urlOf(name) });
  const openAnother = (overrides: Partial<PostgresConfig> = {}): Postgres =>
    createPostgres({ config: { ...config, ...overrides }, logger: silentLogger });
  const postgres = openAnother();
  if (!empty) await migratePostgres(postgres, POSTGRES_SCHEMA);
  return {
    postgres,
    config,
    openAnother: openAnother,
    remove: async () => {
      await postgres.close();
      await asAdministrator((server) => server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
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
