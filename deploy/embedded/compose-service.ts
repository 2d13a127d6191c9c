/**
 * Composes all rooms of the service in one process, behind one HTTP surface: the command side, the projectors and the query side. The caller
 * opens the engines; any implementation of their ports works here.
 */
import type { GraphState } from '../../command-api/behind-graph.js';
import { createCommandApi } from '../../command-api/command-api.js';
import { createRunGraphRebuild, type GraphReplayRun } from '../../command-api/maintenance/run-graph-rebuild.js';
import { createProjectors } from '../../projectors/projectors.js';
import type { IndexMarks } from '../../projectors/vector-indexer/marked-indexer.js';
import { createQueryApi, type QueryApiDependencies } from '../../query-api/query-api.js';
import { createActivityFeed } from '../../query-api/stream/activity-feed.js';
import type { Committer } from '../../shared/commit/committer.js';
import type { ConsolidationRecords } from '../../shared/consolidation/consolidation-records.js';
import type { EmbeddingCache } from '../../shared/embedding/embedder.js';
import type { GraphWriter } from '../../shared/graph/graph.js';
import type { GraphScan } from '../../shared/graph/graph-scan.js';
import { createApp, type EdgeApp } from '../../shared/http/app.js';
import { createEdgeHandlers } from '../../shared/http/edge-handlers.js';
import { createOpenRequests } from '../../shared/http/open-requests.js';
import { openApiDocument } from '../../shared/http/openapi/openapi-document.js';
import { pingAll } from '../../shared/http/readiness.js';
import type { Jobs } from '../../shared/jobs/jobs.js';
import { startJobRunner } from '../../shared/jobs/run-jobs.js';
import { createCheckIndexMark } from '../../shared/journal/check-index-mark.js';
import type { OutboxReader } from '../../shared/journal/outbox.js';
import { readFigures } from '../../shared/journal/read-figures.js';
import { requireSameJournal } from '../../shared/journal/watch-mark.js';
import type { Clock, Ids } from '../../shared/kernel/clock.js';
import type { Resources } from '../../shared/kernel/concurrency/resources.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { type Metrics, NO_METRICS } from '../../shared/kernel/metrics/metrics.js';
import { createLanguageModel } from '../../shared/language/language-variables.js';
import type { EventPublisher, EventSource } from '../../shared/stream/stream.js';
import type { OpenTarget } from '../../shared/vectors/spaces/probe-target.js';
import type { VectorIndexes, VectorSpaces } from '../../shared/vectors/spaces/vector-spaces.js';
import type { VectorIndexReader, VectorIndexWriter } from '../../shared/vectors/vectors.js';
import type { EmbeddedConfig } from './config.js';
import { serveOwnMcp } from './serve-own-mcp.js';
import { settleAll } from './settle-all.js';

export type Engines = Pick<
  QueryApiDependencies,
  | 'graph'
  | 'inspector'
  | 'lock'
  | 'journal'
  | 'archive'
  | 'deadLetters'
  | 'projectorStates'
  | 'embedder'
  | 'localIndexer'
  | 'topicRecord'
  | 'writable'
  | 'checkMark'
  | 'openTarget'
  | 'configuredProvider'
> & {
  readonly graphScan: Pick<GraphScan, 'memories' | 'newest' | 'degrees'>;
  /** Present where events pass through an outbox on their way to the stream. */
  readonly outbox?: OutboxReader;
  readonly spaces: VectorSpaces;
  readonly indexes: VectorIndexes;
  /** As `openTarget`, at the priority of background work. */
  readonly openEmbedder: OpenTarget;
  readonly graphWriter: GraphWriter;
  readonly jobs: Jobs;
  readonly consolidationRecords: ConsolidationRecords;
  /** Replays the journal into the graph. */
  readonly graphReplay: GraphReplayRun;
  readonly cache: EmbeddingCache;
  readonly stream: Pick<EventPublisher, 'notify'> & EventSource;
  readonly vectors: VectorIndexReader & VectorIndexWriter;
  readonly indexMarks: IndexMarks;
};

export type Composed = {
  readonly app: EdgeApp;
  /** Resolves when every event in the stream is projected, and every event that the projectors wrote meanwhile. */
  readonly settled: () => Promise<void>;
};

/** `resources` closes everything that is started here, before the engines that were added to it earlier. */
export async function composeService({
  engines,
  committer,
  graphState,
  config,
  version,
  instance,
  logger,
  metrics = NO_METRICS,
  clock,
  ids,
  resources,
}: {
  readonly engines: Engines;
  readonly committer: Committer;
  /** Absent where the graph commits with its journal. */
  readonly graphState?: GraphState;
  readonly config: Pick<EmbeddedConfig, 'edge' | 'command' | 'query' | 'projectors' | 'language' | 'mcp'>;
  readonly version: string;
  readonly instance: string;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly resources: Resources;
}): Promise<Composed> {
  const { stream, vectors } = engines;
  metrics.report(() => readFigures(engines));
  const language = createLanguageModel(config.language, { logger });
  const commandApi = createCommandApi({
    ...engines,
    committer,
    graphState,
    language,
    clock,
    ids,
    logger,
    vectorSize: () => vectors.dimension,
    config: config.command,
  });
  const activity = resources.add(createActivityFeed({ source: stream, instance, logger }), (feed) => feed.close());
  const queryApi = createQueryApi({
    ...engines,
    publisher: stream,
    checkIndexMark: createCheckIndexMark(engines.indexMarks),
    activity,
    instance,
    config: config.query,
    clock,
    logger,
    metrics,
    about: { version, graph: 'memories', vectorSize: vectors.dimension },
  });
  const openRequests = createOpenRequests();
  const projectors = await createProjectors({
    ...engines,
    source: stream,
    publisher: stream,
    states: engines.projectorStates,
    touch: commandApi.touch,
    recordEnrichments: commandApi.recordEnrichments,
    recordConsolidation: commandApi.recordConsolidation,
    areCallersWaiting: () => openRequests.count() > 0,
    config: config.projectors,
    logger,
    clock,
    instance,
  });
  resources.add(projectors, (running) => running.close());
  const runs = new Map([...projectors.runs, ['rebuild-graph' as const, createRunGraphRebuild(engines.graphReplay)]]);
  resources.add(startJobRunner({ ...engines, runs, logger }), (started) => started.close());
  const { checkMark, writable } = engines;
  const ready = () =>
    pingAll({
      graph: () => engines.graph.ping(),
      journal: () => engines.journal.ping(),
      ...(checkMark && { mark: async () => requireSameJournal(await checkMark()) }),
      ...(writable && { writes: writable }),
    });
  const handlers = {
    ...openRequests.counting({ ...commandApi.handlers, ...queryApi.handlers }),
    ...createEdgeHandlers({ ready, openapi: openApiDocument({ version, vectorSize: vectors.dimension }) }),
  };
  const mcp = config.mcp === null ? {} : { extraRoutes: serveOwnMcp({ config: config.mcp, version, logger, metrics }) };
  return {
    app: createApp({
      handlers,
      tokens: config.edge.tokens,
      allowedOrigins: config.edge.allowedOrigins,
      isLoopbackOnly: config.edge.isLoopbackOnly,
      logger,
      metrics,
      ids,
      ...mcp,
    }),
    settled: () => settleAll({ journal: engines.journal, settle: projectors.settled }),
  };
}
