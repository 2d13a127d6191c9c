/** Opens Postgres and gives each port that it implements. */
import type { Resources } from '../../kernel/concurrency/resources.js';
import { retryStartup, type StartupRetry } from '../../kernel/concurrency/startup-retry.js';
import type { Logger } from '../../kernel/logger.js';
import type { Metrics } from '../../kernel/metrics/metrics.js';
import { eraseRest } from './commit/erasing/erase-rest.js';
import { createPostgresJournalLoader } from './commit/loading/postgres-journal-loader.js';
import { createOutboxCommitter, type OutboxCommitterDeps } from './commit/outbox-committer.js';
import { type Migrated, migratePostgres, requireSchema } from './connection/migrate-postgres.js';
import type { Postgres } from './connection/postgres.js';
import { createPostgres } from './connection/postgres-pool.js';
import type { PostgresConfig } from './connection/postgres-variables.js';
import { requireSessions } from './connection/require-sessions.js';
import { createPostgresJournal } from './journal/postgres-journal.js';
import { createPostgresJournalIdentity } from './journal/postgres-journal-identity.js';
import { createPostgresOutbox, type PostgresOutboxDeps } from './outbox/postgres-outbox.js';
import { createPostgresOutboxReader } from './outbox/postgres-outbox-reader.js';
import { createPostgresMaintenanceLock } from './records/postgres-maintenance-lock.js';
import { postgresRecords } from './records/postgres-records.js';
import { createPostgresTopicRecords } from './records/postgres-topic-records.js';
import { POSTGRES_SCHEMA } from './schema/schema.js';

export type PostgresPorts = ReturnType<typeof postgresPorts>;

/** The ports over one pool. Making them calls nothing. */
export function postgresPorts(postgres: Postgres) {
  return {
    journal: createPostgresJournal({ postgres }),
    identity: createPostgresJournalIdentity({ postgres }),
    loader: createPostgresJournalLoader({ postgres }),
    outbox: createPostgresOutboxReader({ postgres }),
    lock: createPostgresMaintenanceLock({ postgres }),
    topicRecords: createPostgresTopicRecords({ postgres }),
    ...postgresRecords(postgres),
    /** Erases what an interrupted erasure of contents has left. */
    eraseRest: () => eraseRest(postgres),
    createCommitter: (options: Omit<OutboxCommitterDeps, 'postgres'>) =>
      createOutboxCommitter({ postgres, ...options }),
    /** The relay's side of the outbox. */
    createOutbox: (options: Omit<PostgresOutboxDeps, 'postgres'>) => createPostgresOutbox({ postgres, ...options }),
    /** Throws ConfigurationError unless every table has the version of this program. */
    requireSchema: () => requireSchema(postgres, POSTGRES_SCHEMA),
    lostConnections: () => postgres.lostConnections(),
  };
}

type Opening = {
  readonly config: PostgresConfig;
  readonly metrics?: Pick<Metrics, 'report'> | undefined;
  readonly resources: Resources;
};

/** Connects at the first call of a port, so a start does not wait for the server. */
export function connectPostgres({ logger, resources, ...pool }: Opening & { readonly logger: Logger }): PostgresPorts {
  return postgresPorts(resources.add(createPostgres({ ...pool, logger }), (opened) => opened.close()));
}

/** Waits for the server, and checks the version of its tables and that sessions are its own. */
export async function openPostgres({
  startupRetry,
  ...opening
}: Opening & { readonly startupRetry: StartupRetry }): Promise<PostgresPorts> {
  const { config, metrics, resources } = opening;
  const postgres = resources.add(createPostgres({ config, logger: startupRetry.logger, metrics }), (opened) =>
    opened.close(),
  );
  const ports = postgresPorts(postgres);
  await retryStartup(postgresAddress(config), ports.requireSchema, startupRetry);
  await retryStartup(postgresAddress(config), () => requireSessions(postgres), startupRetry);
  return ports;
}

/** Opens the database for one command, also one without our tables. */
export async function usePostgres<T>(
  { config, logger }: { readonly config: PostgresConfig; readonly logger: Logger },
  use: (ports: PostgresPorts & { readonly migrate: () => Promise<readonly Migrated[]> }) => Promise<T>,
): Promise<T> {
  const postgres = createPostgres({ config: { ...config, poolSize: 1 }, logger });
  try {
    const migrate = () => migratePostgres(postgres, POSTGRES_SCHEMA);
    return await use({ ...postgresPorts(postgres), migrate });
  } finally {
    await postgres.close();
  }
}

/** The address of the database, without user and password. */
export function postgresAddress({ url }: PostgresConfig): string {
  const { host, pathname } = new URL(url);
  return `Postgres at ${host}${pathname}`;
}
