/** Opens the data file of the embedded composition for reading, also while the service has it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chooseEmbedder } from '../../shared/embedding/choose-embedder.js';
import { createSqliteGraphStates } from '../../shared/graph/sqlite/sqlite-graph-reader.js';
import { createSqliteGraphScan } from '../../shared/graph/sqlite/sqlite-graph-scan.js';
import { createSqliteDeadLetters } from '../../shared/journal/sqlite/sqlite-dead-letters.js';
import { createSqliteJournal } from '../../shared/journal/sqlite/sqlite-journal.js';
import { ConfigurationError } from '../../shared/kernel/config/config.js';
import { openReadingHost } from '../../shared/sqlite/reading-host.js';
import { createEmbeddedPointReader } from '../../shared/vectors/embedded/read-points.js';
import { embeddedConfig } from '../embedded/config.js';
import { DATA_FILE } from '../embedded/open-engines.js';
import type { OpenStores } from './open-stores.js';

export const openEmbedded: OpenStores = async ({ environment, logger, resources }) => {
  const { dataFolder, embedding } = embeddedConfig(environment, process.cwd());
  const file = join(dataFolder, DATA_FILE);
  if (!existsSync(file))
    throw new ConfigurationError([
      `${dataFolder} has no ${DATA_FILE}: set PALIMPSEST_DATA_DIR to the folder of the service`,
    ]);
  const host = resources.add(await openReadingHost(file), (open) => open.close());
  const embedder = resources.add(await chooseEmbedder({ settings: embedding, logger }), (open) => open.close());
  return {
    journal: createSqliteJournal({ host }),
    graph: createSqliteGraphStates({ host }),
    scan: createSqliteGraphScan({ host }),
    points: createEmbeddedPointReader({ host }),
    deadLetters: createSqliteDeadLetters({ host }),
    model: embedder.model,
  };
};
