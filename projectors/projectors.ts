/** Starts the projectors of one process, each with a consumer group of its own. */
import type { RecordConsolidation } from '../shared/contract/consolidation/commands.js';
import type { RecordEnrichments } from '../shared/contract/enrichment.js';
import type { JobKind } from '../shared/contract/maintenance/jobs.js';
import { WEBHOOK_GIVE_UP_MS } from '../shared/contract/maintenance/webhooks.js';
import {
  ACCESS_RECORDER,
  CONSOLIDATOR,
  DRIFT_REPAIRER,
  ENRICHER,
  VECTOR_INDEXER,
  WEBHOOK_SENDER,
} from '../shared/contract/projector-names.js';
import type { RunJob } from '../shared/jobs/run-jobs.js';
import type { Clock } from '../shared/kernel/clock.js';
import type { GiveWay } from '../shared/kernel/concurrency/give-way.js';
import { createResources } from '../shared/kernel/concurrency/resources.js';
import type { Logger } from '../shared/kernel/logger.js';
import type { Metrics } from '../shared/kernel/metrics/metrics.js';
import type { ConsolidationRecords } from '../shared/ports/consolidation-records.js';
import type { Embedder, EmbeddingCache, EmbeddingUses } from '../shared/ports/embedder.js';
import type { GraphReader } from '../shared/ports/graph.js';
import type { GraphInspector } from '../shared/ports/graph-inspector.js';
import type { GraphScan } from '../shared/ports/graph-scan.js';
import type { Jobs } from '../shared/ports/jobs.js';
import type { DeadLetters, JournalReader, NewProjectorState, ProjectorStates } from '../shared/ports/journal.js';
import type { LanguageModel } from '../shared/ports/language-model.js';
import type { MaintenanceLock } from '../shared/ports/maintenance-lock.js';
import type { EventPublisher, EventSource } from '../shared/ports/stream.js';
import type { VectorIndexReader, VectorIndexWriter } from '../shared/ports/vectors.js';
import type { Webhooks } from '../shared/ports/webhooks.js';
import { type AccessRecorder, createAccessRecorder, type RecordAccess } from './access-recorder/access-recorder.js';
import type { ProjectorConfig } from './config.js';
import { createEnricher } from './enricher/enricher.js';
import { startCacheCleaner } from './jobs/cache-cleaner/cache-cleaner.js';
import { startConsolidator } from './jobs/consolidator/consolidator.js';
import { createRunConsolidation } from './jobs/consolidator/run-consolidation.js';
import { startDriftRepairer } from './jobs/drift-repairer/drift-repairer.js';
import { createIndexRebuilder } from './jobs/index-rebuilder/index-rebuilder.js';
import { leaveRetiredModel } from './jobs/index-rebuilder/leave-retired-model.js';
import type { RebuildPorts } from './jobs/index-rebuilder/rebuild-ports.js';
import { createEmbedBatch } from './jobs/reembedder/embed-batch.js';
import { createRunReembed } from './jobs/reembedder/run-reembed.js';
import { startWebhookSender } from './jobs/webhook-sender/webhook-sender.js';
import type { Projector } from './projector.js';
import { type RunningProjector, runProjector } from './run-projector.js';
import { createMarkedIndexer, type IndexMarks } from './vector-indexer/marked-indexer.js';
import { createReindexer } from './vector-indexer/reindexer.js';
import { createVectorIndexer } from './vector-indexer/vector-indexer.js';

export type Projectors = {
  /** The jobs that this process can run. */
  readonly runs: ReadonlyMap<JobKind, RunJob>;
  /**
   * Resolves when every event that was in the stream at the time of the call is projected and the access times are
   * written.
   */
  readonly settled: () => Promise<void>;
  readonly status: () => readonly NewProjectorState[];
  readonly close: () => Promise<void>;
};

export async function createProjectors({
  config,
  embedder,
  recordAccess,
  recordEnrichments,
  onIndexed = () => undefined,
  ...ports
}: {
  readonly config: ProjectorConfig;
  readonly source: EventSource;
  readonly journal: Pick<JournalReader, 'read' | 'head'>;
  readonly deadLetters: DeadLetters;
  readonly states: ProjectorStates;
  readonly embedder: Embedder;
  readonly cache: EmbeddingCache;
  readonly embeddingUses: EmbeddingUses;
  readonly vectors: VectorIndexReader & VectorIndexWriter;
  readonly indexMarks: IndexMarks;
  readonly graph: GraphReader;
  readonly inspector: Pick<GraphInspector, 'tagCounts' | 'memoriesTagged'>;
  readonly graphScan: Pick<GraphScan, 'memories' | 'newest' | 'degrees'>;
  /** The vector spaces, their indexes and embedders, which a rebuild of the index makes. */
  readonly spaces: RebuildPorts['spaces'];
  readonly indexes: RebuildPorts['indexes'];
  readonly openEmbedder: RebuildPorts['openEmbedder'];
  readonly outbox?: RebuildPorts['outbox'];
  readonly lock: MaintenanceLock;
  readonly recordAccess: RecordAccess;
  readonly recordEnrichments: RecordEnrichments;
  /** Called after each batch of the vector indexer, where its process also serves commands. */
  readonly onIndexed?: (() => void) | undefined;
  /** Where the process also serves callers. */
  readonly areCallersWaiting?: () => boolean;
  /** To the callers of other tenants. */
  readonly giveWay?: GiveWay;
  readonly recordConsolidation: RecordConsolidation;
  /** Describes an entity; null without a language model. */
  readonly describe: LanguageModel['describe'] | null;
  readonly consolidationRecords: ConsolidationRecords;
  readonly jobs: Pick<Jobs, 'create'>;
  readonly publisher: Pick<EventPublisher, 'notify'>;
  readonly webhooks: Webhooks;
  readonly metrics: Pick<Metrics, 'count'>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly instance: string;
}): Promise<Projectors> {
  const resources = createResources();
  try {
    return await open();
  } catch (error) {
    await resources.close();
    throw error;
  }

  /**
   * Opened in this order because closing goes in reverse: the last batch of the enricher may wait for the vector
   * indexer.
   */
  async function open(): Promise<Projectors> {
    const runs = new Map<JobKind, RunJob>();
    const recorder = config.runs.has(ACCESS_RECORDER) ? await record() : null;
    const indexer = config.runs.has(VECTOR_INDEXER) ? await runIndexer(runs) : null;
    const enricher = config.runs.has(ENRICHER)
      ? await run(
          createEnricher({ ...ports, embedder, ahead: ports, record: recordEnrichments, config: config.enricher }),
        )
      : null;
    if (config.runs.has(DRIFT_REPAIRER) && config.driftCheckMs > 0) repairDrift();
    if (config.runs.has(CONSOLIDATOR)) consolidate(runs);
    if (config.runs.has(WEBHOOK_SENDER)) sendWebhooks();
    return {
      runs,
      settled: async () => {
        await Promise.all([indexer?.settled(), enricher?.settled(), recorder?.settled()]);
      },
      status: () => [indexer, enricher].flatMap((running) => running?.status() ?? []),
      close: () => resources.close(),
    };
  }

  async function runIndexer(runs: Map<JobKind, RunJob>): Promise<RunningProjector> {
    const indexer = createMarkedIndexer({
      indexer: createVectorIndexer({ ...ports, embedder, ahead: ports }),
      marks: ports.indexMarks,
    });
    const project: typeof indexer.project = async (...batch) => {
      await indexer.project(...batch);
      onIndexed();
    };
    const running = await run({ ...indexer, project });
    const reindexer = await createReindexer({ ...ports, repair: indexer.repair });
    resources.add(reindexer, (opened) => opened.close());
    const embedBatch = createEmbedBatch({ ...ports, repair: indexer.repair });
    runs.set('reembed', createRunReembed({ ...ports, embedBatch }));
    const rebuilder = createIndexRebuilder({ ...ports, pausePercent: config.rebuildPausePercent });
    runs.set('rebuild-vectors', rebuilder.rebuild).set('rollback-vectors', rebuilder.rollback);
    resources.add(leaveRetiredModel(ports), (started) => started.close());
    const { cacheRetentionMs: retentionMs } = config;
    if (retentionMs > 0) resources.add(startCacheCleaner({ ...ports, retentionMs }), (started) => started.close());
    return running;
  }

  function repairDrift(): void {
    const { driftCheckMs: intervalMs, excludedTypes } = config;
    const repairer = startDriftRepairer({ ...ports, embedder, excludedTypes, intervalMs });
    resources.add(repairer, (started) => started.close());
  }

  function consolidate(runs: Map<JobKind, RunJob>): void {
    const own = { ...ports, config: config.consolidation, records: ports.consolidationRecords };
    runs.set('consolidate', createRunConsolidation(own));
    resources.add(startConsolidator(own), (started) => started.close());
  }

  function sendWebhooks(): void {
    const own = { ...ports, config: config.webhooks, giveUpMs: WEBHOOK_GIVE_UP_MS };
    resources.add(startWebhookSender(own), (started) => started.close());
  }

  async function record(): Promise<AccessRecorder> {
    const recorder = await createAccessRecorder({ source: ports.source, recordAccess, logger: ports.logger });
    return resources.add(recorder, (running) => running.close());
  }

  async function run(projector: Projector): Promise<RunningProjector> {
    const running = await runProjector({
      ...ports,
      projector,
      batchSize: config.batchSize,
      stateSaveMs: config.stateSaveMs,
    });
    return resources.add(running, (opened) => opened.close());
  }
}
