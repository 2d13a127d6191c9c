/** Opens the journal in the data file of the embedded service for reading, also while the service has it. */
import { openSqliteForReading } from '../../../shared/engines/sqlite/open.js';
import { existingDataFile } from '../../embedded/existing-data-file.js';
import type { OpenJournal } from './open-journal.js';

export const openEmbeddedJournal: OpenJournal = async ({ environment, resources }) =>
  openSqliteForReading(existingDataFile(environment).file, resources);
