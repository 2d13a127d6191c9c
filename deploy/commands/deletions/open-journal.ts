/** Opens the journal of a composition for a list of deletions. */
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { openPostgres } from '../../../shared/engines/postgres/open.js';
import { openSqliteForReading } from '../../../shared/engines/sqlite/open.js';
import { readParts } from '../../../shared/kernel/config/read-parts.js';
import { startConfig } from '../../../shared/kernel/config/start-variables.js';
import { existingDataFile } from '../../embedded/existing-data-file.js';
import type { StoreContext } from '../host.js';
import type { DeletionSource } from './save-deletions.js';

export type OpenJournal = (context: StoreContext) => Promise<DeletionSource>;

/** Opens the data file for reading, also while the service has it. */
export const openEmbeddedJournal: OpenJournal = async ({ environment, resources }) =>
  openSqliteForReading(existingDataFile(environment).file, resources);

export const openDistributedJournal: OpenJournal = async ({ environment, logger, resources, signal }) => {
  const config = readParts({ start: () => startConfig(environment), postgres: () => postgresConfig(environment) });
  const startupRetry = { logger, signal, timeoutMs: config.start.timeoutMs };
  return openPostgres({ config: config.postgres, resources, startupRetry });
};
