/** The read side: a handler for every query operation, made of read-only ports. It writes nothing; what it reads it tells the stream. */
import type { Embedder } from '../shared/embedding/embedder.js';
import type { GraphReader } from '../shared/graph/graph.js';
import type { Handlers, QueryOperation } from '../shared/http/handler.js';
import type { DeadLetters, JournalReader, ProjectorStates } from '../shared/journal/journal.js';
import type { OutboxReader } from '../shared/journal/outbox.js';
import type { Clock } from '../shared/kernel/clock.js';
import type { Logger } from '../shared/kernel/logger.js';
import type { EventPublisher } from '../shared/stream/stream.js';
import type { VectorIndexReader } from '../shared/vectors/vectors.js';
import type { QueryConfig } from './config.js';
import { createEnrichmentStatus } from './health/enrichment-status.js';
import { createHealth, type About } from './health/health.js';
import { createObserve } from './health/observe.js';
import { createGetMemory } from './memories/get-memory.js';
import { createListByTag } from './memories/list-by-tag.js';
import { createNoteAccess } from './note-access.js';
import { createRecall } from './recall/recall.js';
import { createListDeadLetters } from './steering/list-dead-letters.js';
import { createListProjectors } from './steering/list-projectors.js';

export type QueryApiDependencies = {
  readonly graph: GraphReader;
  readonly vectors: VectorIndexReader;
  readonly embedder: Embedder;
  readonly journal: JournalReader;
  readonly deadLetters: DeadLetters;
  readonly projectorStates: ProjectorStates;
  /** Where events go through one on their way to the stream. */
  readonly outbox?: Pick<OutboxReader, 'depth'>;
  readonly publisher: Pick<EventPublisher, 'notify'>;
  readonly config: QueryConfig;
  readonly about: About;
  readonly clock: Clock;
  readonly logger: Logger;
};

export function createQueryApi(dependencies: QueryApiDependencies): { readonly handlers: Handlers<QueryOperation> } {
  const { graph, vectors, embedder, projectorStates, publisher, config, about, clock, logger } = dependencies;
  const noteAccess = createNoteAccess(publisher, clock);
  const excludedTypes = config.recall.excludedTypes;
  const observe = createObserve({
    ...dependencies, excludedTypes, timeoutMs: config.healthTimeoutMs,
  });
  return {
    handlers: {
      recall: createRecall({ graph, vectors, embedder, noteAccess, config: config.recall, clock, logger }),
      getMemory: createGetMemory({ graph, noteAccess }),
      listByTag: createListByTag({ graph, noteAccess }),
      enrichmentStatus: createEnrichmentStatus({ graph, projectorStates, excludedTypes, maxAttempts: config.enrichmentMaxAttempts, clock }),
      listDeadLetters: createListDeadLetters(dependencies),
      listProjectors: createListProjectors(dependencies),
      health: createHealth({ observe, about, embedder, vectors, clock }),
    },
  };
}
