/**
 * Opens the engines of the embedded composition, each behind its port: one SQLite file, its stream, the vector index
 * and the encoder.
 */
import type { GraphReplayRun } from '../../command-api/maintenance/graph-rebuild.js';
import { VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
import type { ShareEmbedder } from '../../shared/engines/models/share-embedders.js';
import { openSqlite } from '../../shared/engines/sqlite/open.js';
import type { StartWorker } from '../../shared/engines/sqlite/threads/thread.js';
import { beginMark, createCheckMark } from '../../shared/integrity/journal-mark/check-mark.js';
import { replayGraph } from '../../shared/integrity/replay/replay-graph.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { Resources } from '../../shared/kernel/concurrency/resources.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { Metrics } from '../../shared/kernel/metrics/metrics.js';
import type { Embedder } from '../../shared/ports/embedder.js';
import type { EmbeddedConfig } from './config.js';
import { createLocalMaintenanceLock } from './local-maintenance-lock.js';
import { openSpaces } from './open-spaces.js';

export type Opening = {
  readonly config: EmbeddedConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  /** Closes everything in reverse order. */
  readonly resources: Resources;
  /** Replaces the configured embedder. */
  readonly embedder?: Embedder | undefined;
  /** Gives all tenants of the process one encoder. */
  readonly shareEmbedder?: ShareEmbedder | undefined;
  /** Serves the calls of the database in another way than by threads: tests do it in their own thread. */
  readonly startWorker?: StartWorker | undefined;
};

/** Opens everything in the data folder. */
export async function openEngines({ config, embedder: given, shareEmbedder, metrics, ...opening }: Opening) {
  const { logger, resources } = opening;
  const { openGraph, createStream, embeddings, identity, graphMark, indexMark, ...sqlite } = await openSqlite({
    ...opening,
    dataFolder: config.dataFolder,
    readers: config.readers,
  });
  const { journal, graphWriter, eraseRest } = sqlite;
  const stream = resources.add(createStream(logger), (open) => open.close());
  const marks = { journal: identity, graph: graphMark };
  await beginMark(marks);
  const lock = createLocalMaintenanceLock();
  const index = await openSpaces({
    sqlite,
    settings: config.embedding,
    given,
    shareEmbedder,
    logger,
    metrics,
    resources,
  });
  return {
    ...sqlite,
    ...index,
    stream,
    lock,
    localIndexer: stream.progressOf(VECTOR_INDEXER),
    checkMark: createCheckMark(marks),
    indexMarks: { journal: identity, index: indexMark },
    archive: { journal, identity, embeddings },
    // After the vectors, for which the start waits. The word index loads while the start continues; `warmUp` waits.
    graph: openGraph(),
    graphReplay: {
      hold: () => lock.take('rebuild-graph'),
      replay: (options) =>
        replayGraph({
          ...options,
          journal,
          identity,
          graph: {
            ...graphMark,
            apply: graphWriter.apply,
            prepare: () => Promise.resolve() /* the migrations are done */,
          },
          eraseRest,
        }),
    } satisfies GraphReplayRun,
  };
}
