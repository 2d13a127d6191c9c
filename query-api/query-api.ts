/**
 * The read side: a handler for every query operation, made of read-only ports. It writes nothing but jobs; it publishes
 * its reads to the stream.
 */
import type { CheckKey } from '../shared/http/auth.js';
import type { Handlers, QueryOperation } from '../shared/http/handler.js';
import type { ArchiveSource } from '../shared/integrity/backup-format/archive-source.js';
import type { CheckIndexMark, CheckMark } from '../shared/integrity/journal-mark/check-mark.js';
import type { Clock } from '../shared/kernel/clock.js';
import { shareRuns } from '../shared/kernel/concurrency/share-runs.js';
import type { Logger } from '../shared/kernel/logger.js';
import type { Metrics } from '../shared/kernel/metrics/metrics.js';
import { createCheckKey } from '../shared/keys/check-key.js';
import type { ConsolidationRecords } from '../shared/ports/consolidation-records.js';
import type { Embedder } from '../shared/ports/embedder.js';
import type { GraphReader } from '../shared/ports/graph.js';
import type { GraphInspector } from '../shared/ports/graph-inspector.js';
import type { GraphScan } from '../shared/ports/graph-scan.js';
import type { Jobs } from '../shared/ports/jobs.js';
import type { DeadLetters, JournalReader, ProjectorStates } from '../shared/ports/journal.js';
import type { Keys } from '../shared/ports/keys.js';
import type { MaintenanceLock } from '../shared/ports/maintenance-lock.js';
import type { OutboxReader } from '../shared/ports/outbox.js';
import type { EventPublisher } from '../shared/ports/stream.js';
import type { TopicRecord } from '../shared/ports/topic-records.js';
import type { EmbeddingTarget, OpenTarget, VectorSpaces } from '../shared/ports/vector-spaces.js';
import type { VectorIndexReader } from '../shared/ports/vectors.js';
import type { Webhooks } from '../shared/ports/webhooks.js';
import { createGetJob, createListJobs } from './admin/jobs.js';
import { createListDeadLetters } from './admin/list-dead-letters.js';
import { createListKeys } from './admin/list-keys.js';
import { createListProjectors } from './admin/list-projectors.js';
import { createRebuildVectors } from './admin/rebuild-vectors.js';
import { createReembed } from './admin/reembed.js';
import { createSyncIndex } from './admin/sync-index.js';
import { createShowWebhooks } from './admin/webhooks.js';
import { createBackup } from './backup/backup.js';
import type { QueryConfig } from './config.js';
import { createAwaitHead } from './consistency/await-head.js';
import { createAwaitPosition } from './consistency/await-position.js';
import { createConsistentRead } from './consistency/consistent-read.js';
import { createIndexStateAt } from './consistency/index-state.js';
import { createProgress, type LocalIndexer } from './consistency/progress.js';
import { createConsolidate } from './consolidation/consolidate.js';
import { createConsolidationStatus } from './consolidation/consolidation-status.js';
import { createEntities } from './entities/entities.js';
import { createJournalTail } from './feed/journal-tail.js';
import { createListEvents } from './feed/list-events.js';
import { createListHistory } from './feed/list-history.js';
import { createGraphViews } from './graph-views/graph-views.js';
import { createEnrichmentStatus } from './health/enrichment-status.js';
import { type About, createHealth } from './health/health.js';
import { createObserve } from './health/observe.js';
import { createReadActivity } from './health/read-activity.js';
import { createRecentRecalls } from './health/recent-recalls.js';
import type { ActivityFeed } from './live-stream/activity-feed.js';
import { createStream } from './live-stream/stream.js';
import { watchRecall } from './live-stream/watch-recall.js';
import { createGetMemory } from './memories/get-memory.js';
import { createListByTag } from './memories/list-by-tag.js';
import { createListMemories } from './memories/list-memories.js';
import { createNoteAccess } from './note-access.js';
import { createRecall } from './recall/recall.js';

export type QueryApiDependencies = {
  readonly graph: GraphReader;
  readonly inspector: GraphInspector;
  readonly graphScan: Pick<GraphScan, 'memories' | 'newest'>;
  /** Keeps comparisons of graph and index to one at a time in the deployment. */
  readonly lock: MaintenanceLock;
  readonly vectors: VectorIndexReader;
  readonly embedder: Embedder;
  readonly journal: JournalReader;
  /** What a backup reads. */
  readonly archive: ArchiveSource;
  /** Throws while writes fail. Only where this process also writes. */
  readonly writable?: () => Promise<void>;
  /** Compares the graph with its journal, for the health report. */
  readonly checkMark?: CheckMark;
  /** Compares the vector index with its journal, for the health report. */
  readonly checkIndexMark?: CheckIndexMark;
  /** Jobs are requested and shown here; other processes run them. */
  readonly jobs: Pick<Jobs, 'create' | 'find' | 'list' | 'unfinished'>;
  readonly webhooks: Pick<Webhooks, 'list' | 'find' | 'deliveries'>;
  readonly keys: Pick<Keys, 'list' | 'findByHash' | 'addRequests' | 'addUses'>;
  readonly consolidationRecords: Pick<ConsolidationRecords, 'lastRuns' | 'history'>;
  readonly spaces: Pick<VectorSpaces, 'list'>;
  /** Opens the embedder of a vector index that is to be made. */
  readonly openTarget: OpenTarget;
  readonly configuredProvider: EmbeddingTarget['provider'];
  readonly deadLetters: DeadLetters;
  readonly projectorStates: ProjectorStates;
  /** Present where events pass through an outbox on their way to the stream. */
  readonly outbox?: Pick<OutboxReader, 'depth' | 'unapplied'>;
  /** Present where the one vector indexer runs in this process. */
  readonly localIndexer?: LocalIndexer;
  /** The record of the event topic; present where events pass through Kafka. */
  readonly topicRecord?: () => Promise<TopicRecord | null>;
  readonly publisher: Pick<EventPublisher, 'notify'>;
  /** The activity frames for the watchers of the live stream. */
  readonly activity: Pick<ActivityFeed, 'follow'>;
  /** The name of this process. */
  readonly instance: string;
  readonly config: QueryConfig;
  readonly about: About;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
};

export function createQueryApi(dependencies: QueryApiDependencies): {
  readonly handlers: Handlers<QueryOperation>;
  readonly checkKey: CheckKey;
} {
  const { graph, vectors, embedder, journal, projectorStates, publisher, config, about, clock, logger, metrics } =
    dependencies;
  const noteAccess = createNoteAccess(publisher, clock);
  const excludedTypes = config.recall.excludedTypes;
  const tail = createJournalTail({ journal });
  const recalls = createRecentRecalls({ clock });
  const awaitPosition = createAwaitPosition({
    ...dependencies,
    progress: createProgress(dependencies),
    indexStateAt: createIndexStateAt(dependencies),
  });
  const consistently = createConsistentRead({
    awaitPosition,
    awaitHead: createAwaitHead({ ...dependencies, awaitPosition, waitMs: config.freshWaitMs }),
    waitMs: config.consistentWaitMs,
  });
  const observe = shareRuns(
    createObserve({
      ...dependencies,
      excludedTypes,
      timeoutMs: config.healthTimeoutMs,
    }),
  );
  return {
    checkKey: createCheckKey({ ...dependencies, windowMs: config.keys.windowMs }),
    handlers: {
      recall: watchRecall(
        consistently(
          'index_and_graph',
          createRecall({ graph, vectors, embedder, noteAccess, config: config.recall, clock, logger, metrics }),
        ),
        { publisher, clock, maxLimit: config.recall.maxLimit, recalls },
      ),
      getMemory: createGetMemory({ graph, noteAccess }),
      listByTag: consistently('graph', createListByTag({ graph, noteAccess })),
      listMemories: consistently('graph', createListMemories(dependencies)),
      ...createGraphViews({
        ...dependencies,
        noteAccess,
        config: config.recall,
        viewer: config.viewer,
        archiveBelow: config.consolidation.forget.archiveBelow,
      }),
      ...createEntities(dependencies),
      listEvents: createListEvents({ journal, tail }),
      listHistory: createListHistory({ journal }),
      ...createStream({ ...dependencies, tail, config: config.stream }),
      enrichmentStatus: createEnrichmentStatus({
        graph,
        projectorStates,
        excludedTypes,
        maxAttempts: config.enrichmentMaxAttempts,
      }),
      listDeadLetters: createListDeadLetters(dependencies),
      listProjectors: createListProjectors(dependencies),
      readActivity: createReadActivity({ ...dependencies, recalls }),
      syncIndex: createSyncIndex({ ...dependencies, excludedTypes, waitMs: config.jobWaitMs }),
      listJobs: createListJobs(dependencies),
      getJob: createGetJob(dependencies),
      listKeys: createListKeys(dependencies),
      ...createShowWebhooks(dependencies),
      ...createRebuildVectors(dependencies),
      consolidate: createConsolidate({ ...dependencies, waitMs: config.jobWaitMs }),
      consolidationStatus: createConsolidationStatus({
        records: dependencies.consolidationRecords,
        projectorStates,
        config: config.consolidation,
        clock,
      }),
      reembed: createReembed({ ...dependencies, waitMs: config.jobWaitMs }),
      backup: createBackup({ source: dependencies.archive, version: about.version, clock, logger }),
      health: createHealth({ observe, about, embedder, vectors, clock }),
    },
  };
}
