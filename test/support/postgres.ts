/** A database of one's own in the Postgres to test on, with all tables and nothing in them, that goes when it is closed. */
import { randomUUID } from 'node:crypto';
import { embeddingCacheMigrations } from '../../shared/embedding/postgres/migrations.js';
import { journalMigrations } from '../../shared/journal/postgres/migrations.js';
import { silentLogger } from '../../shared/kernel/logger.js';
import { createPostgres } from '../../shared/postgres/create-postgres.js';
import { migratePostgres } from '../../shared/postgres/migrate-postgres.js';
import type { PostgresConfig } from '../../shared/postgres/postgres-variables.js';
import { postgresConfig } from '../../shared/postgres/postgres-variables.js';
import type { Postgres } from '../../shared/postgres/postgres.js';
import { serverAddress } from './servers.js';

export const MIGRATIONS = [journalMigrations, embeddingCacheMigrations];

export type TemporaryPostgres = {
  readonly postgres: Postgres;
  readonly config: PostgresConfig;
  /** A further host on the same database, as another process has one. To be closed by its opener. */
  readonly another: (overrides?: Partial<PostgresConfig>) => Postgres;
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
  const another = (overrides: Partial<PostgresConfig> = {}): Postgres =>
    createPostgres({ config: { ...config, ...overrides }, logger: silentLogger });
  const postgres = another();
  if (!empty) await migratePostgres(postgres, MIGRATIONS);
  return {
    postgres,
    config,
    another,
    remove: async () => {
      await postgres.close();
      await asAdministrator((server) => server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

/** Work in the database that the address names, which a test neither fills nor removes. */
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
