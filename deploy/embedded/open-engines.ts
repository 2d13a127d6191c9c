/** The engines of the embedded composition, each behind its port: one SQLite file, its stream, the vector index and the encoder. */
import { join } from 'node:path';
import { commitMigrations } from '../../shared/commit/sqlite/migrations.js';
import { chooseEmbedder } from '../../shared/embedding/choose-embedder.js';
import type { Embedder } from '../../shared/embedding/embedder.js';
import { createSqliteEmbeddingCache } from '../../shared/embedding/sqlite/create-sqlite-embedding-cache.js';
import { embeddingCacheMigrations } from '../../shared/embedding/sqlite/migrations.js';
import { createSqliteGraphReader } from '../../shared/graph/sqlite/create-sqlite-graph-reader.js';
import { createSqliteGraphWriter } from '../../shared/graph/sqlite/create-sqlite-graph-writer.js';
import { graphMigrations } from '../../shared/graph/sqlite/migrations.js';
import { createSqliteDeadLetters } from '../../shared/journal/sqlite/create-sqlite-dead-letters.js';
import { createSqliteJournal } from '../../shared/journal/sqlite/create-sqlite-journal.js';
import { createSqliteProjectorStates } from '../../shared/journal/sqlite/create-sqlite-projector-states.js';
import { journalMigrations } from '../../shared/journal/sqlite/migrations.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { Resources } from '../../shared/kernel/resources.js';
import { createSqliteHost } from '../../shared/sqlite/create-sqlite-host.js';
import { lockDataFolder } from '../../shared/sqlite/lock-data-folder.js';
import { createJournalStream } from '../../shared/stream/journal/create-journal-stream.js';
import { streamMigrations } from '../../shared/stream/journal/migrations.js';
import { createEmbeddedVectorIndex } from '../../shared/vectors/embedded/create-embedded-vector-index.js';
import { vectorMigrations } from '../../shared/vectors/embedded/migrations.js';
import type { EmbeddedConfig } from './config.js';

const MIGRATIONS = [
  journalMigrations,
  commitMigrations,
  graphMigrations,
  embeddingCacheMigrations,
  streamMigrations,
  vectorMigrations,
];

/** Opens everything in the data folder; what was opened is closed by `resources`, in reverse. `embedder` takes the place of the configured one. */
export async function openEngines({
  config,
  logger,
  resources,
  embedder: given,
}: {
  readonly config: EmbeddedConfig;
  readonly logger: Logger;
  readonly resources: Resources;
  readonly embedder?: Embedder;
}) {
  resources.add(lockDataFolder(config.dataFolder), (lock) => lock.release());
  const embedder = resources.add(given ?? (await chooseEmbedder({ settings: config.embedding, logger })), (open) =>
    open.close(),
  );
  const database = await createSqliteHost({
    file: join(config.dataFolder, 'palimpsest.db'),
    readers: config.readers,
    migrations: MIGRATIONS,
    onThreadDeath: (error) => logger.error({ error }, 'A database thread ended'),
  });
  const host = resources.add(database, (open) => open.close());
  const journal = createSqliteJournal({ host });
  const stream = resources.add(createJournalStream({ host, journal, logger }), (open) => open.close());
  const vectors = await createEmbeddedVectorIndex({ host, dimension: embedder.dimension });
  return {
    host,
    journal,
    stream,
    embedder,
    deadLetters: createSqliteDeadLetters({ host }),
    projectorStates: createSqliteProjectorStates({ host }),
    cache: createSqliteEmbeddingCache({ host }),
    vectors,
    // After the vectors, for which the start waits: words load beside what comes next.
    graph: createSqliteGraphReader({ host }),
    graphWriter: createSqliteGraphWriter({ host }),
  };
}
