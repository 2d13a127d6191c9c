/** Opens the data file of the embedded composition for reading, also while the service has it. */
import { createSqliteGraphStates } from '../../shared/graph/sqlite/sqlite-graph-reader.js';
import { createSqliteGraphScan } from '../../shared/graph/sqlite/sqlite-graph-scan.js';
import { createSqliteDeadLetters } from '../../shared/journal/sqlite/sqlite-dead-letters.js';
import { createSqliteJournal } from '../../shared/journal/sqlite/sqlite-journal.js';
import { ConfigurationError } from '../../shared/kernel/config/config.js';
import { openReadingHost } from '../../shared/sqlite/reading-host.js';
import { createEmbeddedPointReader } from '../../shared/vectors/embedded/read-points.js';
import { createSqliteVectorSpaces } from '../../shared/vectors/spaces/sqlite/sqlite-vector-spaces.js';
import { embeddedConfig } from '../embedded/config.js';
import { existingDataFile } from '../embedded/existing-data-file.js';
import type { OpenStores } from './open-stores.js';

export const openEmbedded: OpenStores = async ({ environment, resources }) => {
  const { query } = embeddedConfig(environment, process.cwd());
  const { file } = existingDataFile(environment);
  const host = resources.add(await openReadingHost(file), (open) => open.close());
  const space = await createSqliteVectorSpaces({ host }).active();
  if (space === null) throw new ConfigurationError(['the data file has no vector index yet: start the service once']);
  return {
    journal: createSqliteJournal({ host }),
    graph: createSqliteGraphStates({ host }),
    scan: createSqliteGraphScan({ host }),
    points: createEmbeddedPointReader({ host, space: space.number }),
    deadLetters: createSqliteDeadLetters({ host }),
    model: space.model,
    excludedTypes: query.recall.excludedTypes,
  };
};
