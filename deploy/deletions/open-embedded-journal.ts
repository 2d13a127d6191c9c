/** Opens the journal in the data file of the embedded service for reading, also while the service has it. */
import { createSqliteJournal } from '../../shared/journal/sqlite/sqlite-journal.js';
import { createSqliteJournalIdentity } from '../../shared/journal/sqlite/sqlite-journal-identity.js';
import { openReadingHost } from '../../shared/sqlite/reading-host.js';
import { existingDataFile } from '../embedded/existing-data-file.js';
import type { OpenJournal } from './open-journal.js';

export const openEmbeddedJournal: OpenJournal = async ({ environment, resources }) => {
  const { file } = existingDataFile(environment);
  const host = resources.add(await openReadingHost(file), (open) => open.close());
  return { journal: createSqliteJournal({ host }), identity: createSqliteJournalIdentity({ host }) };
};
