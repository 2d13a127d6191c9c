/** Opens the data file of the embedded composition for reading, also while the service has it. */
import { openSqliteForReading } from '../../../shared/engines/sqlite/open.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { embeddedConfig } from '../../embedded/config.js';
import { existingDataFile } from '../../embedded/existing-data-file.js';
import type { OpenStores } from './open-stores.js';

export const openEmbedded: OpenStores = async ({ environment, resources }) => {
  const { query } = embeddedConfig(environment, process.cwd());
  const { file } = existingDataFile(environment);
  const sqlite = await openSqliteForReading(file, resources);
  const space = await sqlite.spaces.active();
  if (space === null) throw new ConfigurationError(['the data file has no vector index yet: start the service once']);
  return {
    journal: sqlite.journal,
    graph: sqlite.graphStates,
    scan: sqlite.graphScan,
    points: sqlite.pointReader(space.number),
    deadLetters: sqlite.deadLetters,
    model: space.model,
    excludedTypes: query.recall.excludedTypes,
  };
};
