/** Connects to the journal of the distributed composition. */
import { journalMigrations } from '../../shared/journal/postgres/migrations.js';
import { createPostgresJournal } from '../../shared/journal/postgres/postgres-journal.js';
import { createPostgresJournalIdentity } from '../../shared/journal/postgres/postgres-journal-identity.js';
import { readParts } from '../../shared/kernel/config/read-parts.js';
import { startConfig } from '../../shared/kernel/config/start-variables.js';
import { openPostgres } from '../../shared/postgres/open-postgres.js';
import { postgresConfig } from '../../shared/postgres/postgres-variables.js';
import type { OpenJournal } from './open-journal.js';

export const openDistributedJournal: OpenJournal = async ({ environment, logger, resources, signal }) => {
  const config = readParts({ start: () => startConfig(environment), postgres: () => postgresConfig(environment) });
  const startupRetry = { logger, signal, timeoutMs: config.start.timeoutMs };
  const postgres = await openPostgres({ config: config.postgres, rooms: [journalMigrations], resources, startupRetry });
  return { journal: createPostgresJournal({ postgres }), identity: createPostgresJournalIdentity({ postgres }) };
};
