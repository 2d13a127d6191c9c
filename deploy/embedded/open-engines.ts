/**
 * Opens the engines of the embedded composition, each behind its port: one SQLite file, its stream, the vector index
 * and the encoder.
 */
import type { GraphReplayRun } from '../../command-api/maintenance/graph-rebuild.js';
import { VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
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

/**
 * Opens everything in the data folder; `resources` closes it in reverse order. `embedder` replaces the configured one.
 */
export async function openEngines({
  config,
  embedder: given,
  metrics,
  ...opening
}: {
  readonly config: EmbeddedConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  readonly resources: Resources;
  readonly embedder?: Embedder;
  readonly startWorker?: StartWorker | undefined;
}) {
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
  const index = await openSpaces({ sqlite, settings: config.embedding, given, logger, metrics, resources });
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
