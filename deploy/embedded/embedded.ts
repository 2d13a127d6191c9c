/**
 * The embedded composition: the whole service in one process over one folder. It opens the embedded engines and the
 * committer, and composes every layer.
 */
import { statfs } from 'node:fs/promises';
import { createGuardedCommitter } from '../../command-api/guarded-committer.js';
import { startCleaning } from '../../command-api/start-cleaning.js';
import { warmUpEncoder } from '../../shared/engines/models/bundled/warm-up.js';
import type { StartWorker } from '../../shared/engines/sqlite/threads/thread.js';
import { watchMark } from '../../shared/integrity/journal-mark/watch-mark.js';
import type { Clock, Ids } from '../../shared/kernel/clock.js';
import { createResources } from '../../shared/kernel/concurrency/resources.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { GaugeValue, Metrics } from '../../shared/kernel/metrics/metrics.js';
import type { Embedder } from '../../shared/ports/embedder.js';
import { type Composed, composeService } from './compose-service.js';
import type { EmbeddedConfig } from './config.js';
import type { Engines } from './engines.js';
import { openEngines } from './open-engines.js';

export type Embedded = Composed & {
  /** Resolves when the first caller waits neither for the encoder nor for the word index. */
  readonly warmUp: () => Promise<void>;
  /** Projectors finish their batch, then the engines close in the reverse order of their opening. */
  readonly close: () => Promise<void>;
};

export type EmbeddedOptions = {
  readonly config: EmbeddedConfig;
  readonly version: string;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Replaces the configured embedder. */
  readonly embedder?: Embedder;
  /** Serves the calls of the database in another way than by threads: tests do it in their own thread. */
  readonly startWorker?: StartWorker | undefined;
  /** Wraps engines before they are used: tests make one fail in this way. */
  readonly alter?: (engines: Engines) => Engines;
};

export async function createEmbedded({ embedder, alter, ...options }: EmbeddedOptions): Promise<Embedded> {
  const { config, logger, clock } = options;
  const resources = createResources();
  try {
    const { createCommitter, eraseRest, wordsLoaded, ...opened } = await openEngines({
      config,
      clock,
      logger,
      metrics: options.metrics,
      resources,
      startWorker: options.startWorker,
      ...(embedder === undefined ? {} : { embedder }),
    });
    const engines: Engines & Pick<typeof opened, 'checkMark'> = { ...opened, ...alter?.(opened) };
    options.metrics?.report(() => readDisk(config.dataFolder));
    const watch = resources.add(await watchMark({ checkMark: engines.checkMark, logger }), (started) =>
      started.close(),
    );
    const committer = createGuardedCommitter(
      createCommitter({ publisher: opened.stream, logger, metrics: options.metrics }),
      watch.requireSameJournal,
    );
    const cleaning = { graph: () => engines.graphWriter.clearHub(), journal: eraseRest };
    resources.add(startCleaning({ ...cleaning, logger }), (started) => started.close());
    const composed = await composeService({
      ...options,
      engines,
      committer,
      graphState: watch,
      instance: 'embedded',
      resources,
    });
    return {
      ...composed,
      warmUp: async () => void (await Promise.all([warmUpEncoder(engines.embedder, logger), wordsLoaded()])),
      close: () => resources.close(),
    };
  } catch (error) {
    await resources.close();
    throw error;
  }
}

/** The size and the free bytes of the file system with the data. */
async function readDisk(folder: string): Promise<readonly GaugeValue[]> {
  const { bsize, bavail, blocks } = await statfs(folder);
  return [
    { name: 'palimpsest_disk_free_bytes', value: bavail * bsize },
    { name: 'palimpsest_disk_size_bytes', value: blocks * bsize },
  ];
}
