/** Opens the data file of the embedded composition for reading, also while the service has it. */
import { chooseEmbedder } from '../../shared/embedding/choose-embedder.js';
import { createSqliteGraphStates } from '../../shared/graph/sqlite/sqlite-graph-reader.js';
import { createSqliteGraphScan } from '../../shared/graph/sqlite/sqlite-graph-scan.js';
import { createSqliteDeadLetters } from '../../shared/journal/sqlite/sqlite-dead-letters.js';
import { createSqliteJournal } from '../../shared/journal/sqlite/sqlite-journal.js';
import { openReadingHost } from '../../shared/sqlite/reading-host.js';
import { createEmbeddedPointReader } from '../../shared/vectors/embedded/read-points.js';
import { embeddedConfig } from '../embedded/config.js';
import { existingDataFile } from '../embedded/existing-data-file.js';
import type { OpenStores } from './open-stores.js';

export const openEmbedded: OpenStores = async ({ environment, logger, resources }) => {
  const { embedding, query } = embeddedConfig(environment, process.cwd());
  const { file } = existingDataFile(environment);
  const host = resources.add(await openReadingHost(file), (open) => open.close());
  const embedder = resources.add(await chooseEmbedder({ settings: embedding, logger }), (open) => open.close());
  return {
    journal: createSqliteJournal({ host }),
    graph: createSqliteGraphStates({ host }),
    scan: createSqliteGraphScan({ host }),
    points: createEmbeddedPointReader({ host }),
    deadLetters: createSqliteDeadLetters({ host }),
    model: embedder.model,
    excludedTypes: query.recall.excludedTypes,
  };
};
