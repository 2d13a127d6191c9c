/** Opens Postgres for a starting process: waits for the server and checks the version of its tables, and that sessions are its own. */
import type { Resources } from '../kernel/concurrency/resources.js';
import { retryStartup, type StartupRetry } from '../kernel/concurrency/startup-retry.js';
import type { Metrics } from '../kernel/metrics/metrics.js';
import { requireSchema } from './migrate-postgres.js';
import type { Migrations, Postgres } from './postgres.js';
import { createPostgres } from './postgres-pool.js';
import type { PostgresConfig } from './postgres-variables.js';
import { requireSessions } from './require-sessions.js';

export async function openPostgres({
  config,
  rooms,
  metrics,
  resources,
  startupRetry,
}: {
  readonly config: PostgresConfig;
  /** The rooms whose tables the process uses. */
  readonly rooms: readonly Migrations[];
  readonly metrics?: Pick<Metrics, 'report'>;
  readonly resources: Resources;
  readonly startupRetry: StartupRetry;
}): Promise<Postgres> {
  const postgres = resources.add(createPostgres({ config, logger: startupRetry.logger, metrics }), (opened) =>
    opened.close(),
  );
  await retryStartup(postgresPlace(config), () => requireSchema(postgres, rooms), startupRetry);
  await retryStartup(postgresPlace(config), () => requireSessions(postgres), startupRetry);
  return postgres;
}

/** The address of the database, without user and password. */
export function postgresPlace({ url }: PostgresConfig): string {
  const { host, pathname } = new URL(url);
  return `Postgres at ${host}${pathname}`;
}
