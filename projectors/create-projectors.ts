/** All projectors of one process, each with a consumer group of its own. */
import type { Embedder, EmbeddingCache } from '../shared/embedding/embedder.js';
import type { DeadLetters, JournalReader, ProjectorState, ProjectorStates } from '../shared/journal/journal.js';
import type { Clock } from '../shared/kernel/clock.js';
import type { Logger } from '../shared/kernel/logger.js';
import type { EventSource } from '../shared/stream/stream.js';
import type { VectorIndexWriter } from '../shared/vectors/vectors.js';
import { createAccessRecorder, type Touch } from './access-recorder/create-access-recorder.js';
import type { ProjectorConfig } from './config.js';
import { runProjector } from './run-projector.js';
import { createVectorIndexer } from './vector-indexer/create-vector-indexer.js';

export type Projectors = {
  /** Resolves when everything that was in the stream at the time of the call has been projected, and what was recalled is noted. */
  readonly settled: () => Promise<void>;
  readonly status: () => readonly ProjectorState[];
  readonly close: () => Promise<void>;
};

export async function createProjectors({ config, embedder, cache, vectors, touch, ...ports }: {
  readonly config: ProjectorConfig;
  readonly source: EventSource;
  readonly journal: Pick<JournalReader, 'read'>;
  readonly deadLetters: DeadLetters;
  readonly states: ProjectorStates;
  readonly embedder: Embedder;
  readonly cache: EmbeddingCache;
  readonly vectors: VectorIndexWriter;
  readonly touch: Touch;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly instance: string;
}): Promise<Projectors> {
  const indexer = await runProjector({
    ...ports,
    projector: createVectorIndexer({ embedder, cache, vectors }),
    batchSize: config.batchSize,
    stateSaveMs: config.stateSaveMs,
  });
  const recorder = await createAccessRecorder({ source: ports.source, touch, logger: ports.logger, flushMs: config.accessFlushMs })
    .catch(async (error: unknown) => {
      await indexer.close();
      throw error;
    });
  return {
    settled: async () => {
      await Promise.all([indexer.settled(), recorder.settled()]);
    },
    status: () => [indexer.status()],
    close: async () => {
      await Promise.all([indexer.close(), recorder.close()]);
    },
  };
}
