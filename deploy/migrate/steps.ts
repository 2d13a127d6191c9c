/** What has to be there before the processes of the distributed composition start, in the order in which it is made. */
import { embeddingCacheMigrations } from '../../shared/embedding/postgres/migrations.js';
import { journalMigrations } from '../../shared/journal/postgres/migrations.js';
import type { Environment } from '../../shared/kernel/config.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { createPostgres } from '../../shared/postgres/create-postgres.js';
import { migratePostgres } from '../../shared/postgres/migrate-postgres.js';
import { postgresConfig, type PostgresConfig } from '../../shared/postgres/postgres-variables.js';

/** Safe to run again, and by several installers at once. `run` opens what it needs, closes it, and answers in a few words what it did. */
export type Step = { readonly name: string; readonly run: () => Promise<string> };

/** Throws ConfigurationError before anything is touched. Every other engine joins by one more entry. */
export function migrationSteps({ environment, logger }: { readonly environment: Environment; readonly logger: Logger }): readonly Step[] {
  const postgres = postgresConfig(environment);
  return [{ name: 'postgres', run: () => migrateTables(postgres, logger) }];
}

async function migrateTables(config: PostgresConfig, logger: Logger): Promise<string> {
  const postgres = createPostgres({ config: { ...config, poolSize: 1 }, logger });
  try {
    const rooms = await migratePostgres(postgres, [journalMigrations, embeddingCacheMigrations]);
    return rooms.map(({ room, from, to }) => (from === to ? `${room} is at version ${to}` : `${room} brought from version ${from} to ${to}`)).join(', ');
  } finally {
    await postgres.close();
  }
}
