/** A temporary database in the test Postgres, with all tables and no rows. Closing it drops the database. */
import { randomUUID } from 'node:crypto';
import { consolidationMigrations } from '../../../shared/consolidation/postgres/migrations.js';
import { embeddingCacheMigrations } from '../../../shared/embedding/postgres/migrations.js';
import { jobsMigrations } from '../../../shared/jobs/postgres/migrations.js';
import { journalMigrations } from '../../../shared/journal/postgres/migrations.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { migratePostgres } from '../../../shared/postgres/migrate-postgres.js';
import type { Postgres } from '../../../shared/postgres/postgres.js';
import { createPostgres } from '../../../shared/postgres/postgres-pool.js';
import type { PostgresConfig } from '../../../shared/postgres/postgres-variables.js';
import { postgresConfig } from '../../../shared/postgres/postgres-variables.js';
import { streamMigrations } from '../../../shared/stream/postgres/migrations.js';
import { spaceMigrations } from '../../../shared/vectors/spaces/postgres/migrations.js';
import { serverAddress } from './servers.js';

export const MIGRATIONS = [
  journalMigrations,
  embeddingCacheMigrations,
  streamMigrations,
  jobsMigrations,
  consolidationMigrations,
  spaceMigrations,
];

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
  if (!empty) await migratePostgres(postgres, MIGRATIONS);
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
