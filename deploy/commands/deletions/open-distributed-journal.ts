/** Connects to the journal of the distributed composition. */
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { openPostgres } from '../../../shared/engines/postgres/open.js';
import { readParts } from '../../../shared/kernel/config/read-parts.js';
import { startConfig } from '../../../shared/kernel/config/start-variables.js';
import type { OpenJournal } from './open-journal.js';

export const openDistributedJournal: OpenJournal = async ({ environment, logger, resources, signal }) => {
  const config = readParts({ start: () => startConfig(environment), postgres: () => postgresConfig(environment) });
  const startupRetry = { logger, signal, timeoutMs: config.start.timeoutMs };
  return openPostgres({ config: config.postgres, resources, startupRetry });
};
