/** Opens the engines of the embedded composition, each behind its port: one SQLite file, its stream, the vector index and the encoder. */
import { join } from 'node:path';
import type { GraphReplayRun } from '../../command-api/maintenance/run-graph-rebuild.js';
import { eraseRest } from '../../shared/commit/sqlite/erase-memory.js';
import { commitMigrations } from '../../shared/commit/sqlite/migrations.js';
import { consolidationMigrations } from '../../shared/consolidation/sqlite/migrations.js';
import { createSqliteConsolidationRecords } from '../../shared/consolidation/sqlite/sqlite-consolidation-records.js';
import { VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
import type { Embedder } from '../../shared/embedding/embedder.js';
import { embeddingCacheMigrations } from '../../shared/embedding/sqlite/migrations.js';
import { createSqliteEmbeddingCache } from '../../shared/embedding/sqlite/sqlite-embedding-cache.js';
import { createSqliteEmbeddingScan } from '../../shared/embedding/sqlite/sqlite-embedding-scan.js';
import { graphMigrations } from '../../shared/graph/sqlite/schema/migrations.js';
import { createSqliteGraphInspector } from '../../shared/graph/sqlite/sqlite-graph-inspector.js';
import { createSqliteGraphMark } from '../../shared/graph/sqlite/sqlite-graph-mark.js';
import { createSqliteGraphReader } from '../../shared/graph/sqlite/sqlite-graph-reader.js';
import { createSqliteGraphScan } from '../../shared/graph/sqlite/sqlite-graph-scan.js';
import { createSqliteGraphWriter } from '../../shared/graph/sqlite/sqlite-graph-writer.js';
import { jobsMigrations } from '../../shared/jobs/sqlite/migrations.js';
import { createSqliteJobs } from '../../shared/jobs/sqlite/sqlite-jobs.js';
import { beginMark, createCheckMark } from '../../shared/journal/check-mark.js';
import { replayGraph } from '../../shared/journal/replay/replay-graph.js';
import { journalMigrations } from '../../shared/journal/sqlite/migrations.js';
import { createSqliteDeadLetters } from '../../shared/journal/sqlite/sqlite-dead-letters.js';
import { createSqliteJournal } from '../../shared/journal/sqlite/sqlite-journal.js';
import { createSqliteJournalIdentity } from '../../shared/journal/sqlite/sqlite-journal-identity.js';
import { createSqliteProjectorStates } from '../../shared/journal/sqlite/sqlite-projector-states.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { Resources } from '../../shared/kernel/concurrency/resources.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { Metrics } from '../../shared/kernel/metrics/metrics.js';
import { createLocalMaintenanceLock } from '../../shared/maintenance/maintenance-lock.js';
import { lockDataFolder } from '../../shared/sqlite/lock-data-folder.js';
import type { StartWorker } from '../../shared/sqlite/thread.js';
import { createSqliteHost } from '../../shared/sqlite/threaded-host.js';
import { createJournalStream } from '../../shared/stream/journal/journal-stream.js';
import { streamMigrations } from '../../shared/stream/journal/migrations.js';
import { vectorMigrations } from '../../shared/vectors/embedded/migrations.js';
import { spaceMigrations } from '../../shared/vectors/spaces/sqlite/migrations.js';
import type { EmbeddedConfig } from './config.js';
import { openSpaces } from './open-spaces.js';

export const DATA_FILE = 'palimpsest.db';

/** The tables of all rooms, which share one file. */
export const MIGRATIONS = [
  journalMigrations,
  commitMigrations,
  graphMigrations,
  embeddingCacheMigrations,
  streamMigrations,
  vectorMigrations,
  spaceMigrations,
  jobsMigrations,
  consolidationMigrations,
];

/** Opens everything in the data folder; `resources` closes it in reverse order. `embedder` replaces the configured one. */
export async function openEngines({
  config,
  clock,
  logger,
  metrics,
  resources,
  embedder: given,
  startWorker,
}: {
  readonly config: EmbeddedConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  readonly resources: Resources;
  readonly embedder?: Embedder;
  readonly startWorker?: StartWorker | undefined;
}) {
  resources.add(lockDataFolder(config.dataFolder), (lock) => lock.release());
  const database = await createSqliteHost({
    file: join(config.dataFolder, DATA_FILE),
    readers: config.readers,
    migrations: MIGRATIONS,
    startWorker,
    onThreadEnd: (err) => logger.error({ err }, 'database thread ended'),
  });
  const host = resources.add(database, (open) => open.close());
  const journal = createSqliteJournal({ host, clock });
  const stream = resources.add(createJournalStream({ host, journal, logger }), (open) => open.close());
  const marks = { journal: createSqliteJournalIdentity({ host }), graph: createSqliteGraphMark({ host }) };
  await beginMark(marks);
  const lock = createLocalMaintenanceLock();
  const graphWriter = createSqliteGraphWriter({ host });
  const { indexMark, ...index } = await openSpaces({
    host,
    settings: config.embedding,
    given,
    instance: 'embedded',
    logger,
    metrics,
    resources,
  });
  return {
    host,
    journal,
    stream,
    localIndexer: stream.progressOf(VECTOR_INDEXER),
    writable: () => host.writable(),
    checkMark: createCheckMark(marks),
    indexMarks: { journal: marks.journal, index: indexMark },
    deadLetters: createSqliteDeadLetters({ host }),
    projectorStates: createSqliteProjectorStates({ host, clock }),
    cache: createSqliteEmbeddingCache({ host }),
    archive: { journal, identity: marks.journal, embeddings: createSqliteEmbeddingScan({ host }) },
    ...index,
    // After the vectors, for which the start waits: the word index loads while the start continues.
    graph: createSqliteGraphReader({ host }),
    inspector: createSqliteGraphInspector({ host }),
    graphScan: createSqliteGraphScan({ host }),
    graphWriter,
    jobs: createSqliteJobs({ host, clock }),
    consolidationRecords: createSqliteConsolidationRecords({ host }),
    lock,
    graphReplay: {
      hold: () => lock.take('rebuild-graph'),
      replay: (options) =>
        replayGraph({
          ...options,
          journal,
          identity: marks.journal,
          graph: {
            ...marks.graph,
            apply: graphWriter.apply,
            prepare: () => Promise.resolve() /* the migrations are done */,
          },
          eraseRest: () => host.write(eraseRest, null),
        }),
    } satisfies GraphReplayRun,
  };
}
