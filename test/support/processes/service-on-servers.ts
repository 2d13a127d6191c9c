/**
 * The whole service in the test's process over the engines of the distributed composition, like `createEmbedded` over one folder. It
 * has its own database, topics and collection, and uses the only graph. Closing the service removes all of its data.
 */
import { openGraphReplay } from '../../../command-api/open-graph-replay.js';
import { createRelay } from '../../../command-api/relay/relay.js';
import { composeService, type Engines } from '../../../deploy/embedded/compose-service.js';
import type { Embedded, EmbeddedOptions } from '../../../deploy/embedded/embedded.js';
import { settleAll } from '../../../deploy/embedded/settle-all.js';
import { openVectorIndex } from '../../../projectors/open-vector-index.js';
import { createGuardedCommitter } from '../../../shared/commit/guarded-committer.js';
import { commitConfig } from '../../../shared/commit/outbox/commit-variables.js';
import { eraseRest } from '../../../shared/commit/outbox/erasing/erase-rest.js';
import { createOutboxCommitter } from '../../../shared/commit/outbox/outbox-committer.js';
import { startCleaning } from '../../../shared/commit/start-cleaning.js';
import { createPostgresConsolidationRecords } from '../../../shared/consolidation/postgres/postgres-consolidation-records.js';
import type { Embedder } from '../../../shared/embedding/embedder.js';
import { createPostgresEmbeddingCache } from '../../../shared/embedding/postgres/postgres-embedding-cache.js';
import { createPostgresEmbeddingScan } from '../../../shared/embedding/postgres/postgres-embedding-scan.js';
import { createNeo4jGraphInspector } from '../../../shared/graph/neo4j/neo4j-graph-inspector.js';
import { createNeo4jGraphMark } from '../../../shared/graph/neo4j/neo4j-graph-mark.js';
import { createNeo4jGraphReader } from '../../../shared/graph/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphScan } from '../../../shared/graph/neo4j/neo4j-graph-scan.js';
import { createNeo4jGraphWriter } from '../../../shared/graph/neo4j/neo4j-graph-writer.js';
import { createPostgresJobs } from '../../../shared/jobs/postgres/postgres-jobs.js';
import { beginMark } from '../../../shared/journal/check-mark.js';
import { createPostgresDeadLetters } from '../../../shared/journal/postgres/postgres-dead-letters.js';
import { createPostgresJournal } from '../../../shared/journal/postgres/postgres-journal.js';
import { createPostgresJournalIdentity } from '../../../shared/journal/postgres/postgres-journal-identity.js';
import { createPostgresOutbox } from '../../../shared/journal/postgres/postgres-outbox.js';
import { createPostgresProjectorStates } from '../../../shared/journal/postgres/postgres-projector-states.js';
import { startGraphRebuilder } from '../../../shared/journal/replay/graph-rebuilder.js';
import { createTrackMark } from '../../../shared/journal/track-mark.js';
import { watchMark } from '../../../shared/journal/watch-mark.js';
import { createResources, type Resources } from '../../../shared/kernel/concurrency/resources.js';
import { createPostgresMaintenanceLock } from '../../../shared/maintenance/postgres/postgres-maintenance-lock.js';
import { createKafkaStream } from '../../../shared/stream/kafka/kafka-stream.js';
import { eventTopic } from '../../../shared/stream/kafka/topics.js';
import { createPostgresTopicRecords } from '../../../shared/stream/postgres/postgres-topic-records.js';
import { configuredProvider } from '../../../shared/vectors/spaces/open-target.js';
import { until } from '../checks/until.js';
import { openKafkaNames } from '../servers/kafka.js';
import { openEmptyNeo4j } from '../servers/neo4j.js';
import { openTemporaryPostgres } from '../servers/postgres.js';
import { dropCollections, qdrantTestConfig } from '../servers/qdrant.js';

export async function createOnServers(options: EmbeddedOptions): Promise<Omit<Embedded, 'warmUp'>> {
  const resources = createResources();
  try {
    return { ...(await compose(options, resources)), close: () => resources.close() };
  } catch (error) {
    await resources.close();
    throw error;
  }
}

const RELAY = { batchSize: 500, pollMs: 1_000 };
const RELAY_LEASE_MS = 10_000;

async function compose(
  { embedder: given, alter, ...options }: EmbeddedOptions,
  resources: Resources,
): Promise<Omit<Embedded, 'warmUp' | 'close'>> {
  const { config, logger } = options;
  const { postgres, neo4j, outbox, stream, ...opened } = await openServerEngines({
    given,
    settings: config.embedding,
    logger,
    metrics: options.metrics,
    resources,
  });
  const own = { ...opened, outbox, stream };
  const engines = { ...own, ...alter?.(own) };
  const watch = resources.add(await watchMark({ checkMark: engines.checkMark, logger }), (open) => open.close());
  const { hold, replay } = openGraphReplay({ postgres, neo4j, graphWriter: engines.graphWriter });
  const rebuilder = startGraphRebuilder({
    finding: watch.finding,
    hold,
    replay: (signal) => replay({ signal, onlyIfBehind: true, restPercent: commitConfig({}).rebuildRestPercent }),
    logger,
  });
  resources.add(rebuilder, (started) => started.close());
  const relay = resources.add(createRelay({ outbox, publisher: stream, logger, config: RELAY }), (open) =>
    open.close(),
  );
  const committer = resources.add(
    createOutboxCommitter({
      postgres,
      graph: { apply: engines.graphWriter.apply, ping: engines.graph.ping },
      logger,
      metrics: options.metrics,
      config: commitConfig({}),
    }),
    (open) => open.close(),
  );
  const cleaning = { graph: () => opened.graphWriter.clearHub(), journal: () => eraseRest(postgres) };
  resources.add(startCleaning({ ...cleaning, logger }), (started) => started.close());
  const composed = await composeService({
    ...options,
    engines,
    committer: createGuardedCommitter(committer, watch.requireSameJournal),
    graphState: watch,
    instance: 'on-servers',
    resources,
  });
  return {
    ...composed,
    settled: () =>
      settleAll({
        journal: engines.journal,
        settle: async () => {
          await until('the graph shows every event', async () => (await outbox.depth()).pending === 0);
          await relay.settled(AbortSignal.timeout(SETTLED_DEADLINE_MS));
          await composed.settled();
        },
      }),
  };
}

const SETTLED_DEADLINE_MS = 15_000;
const STARTUP_MS = 30_000;

async function openServerEngines({
  given,
  settings,
  logger,
  metrics,
  resources,
}: {
  readonly given: Embedder | undefined;
  readonly settings: EmbeddedOptions['config']['embedding'];
  readonly logger: EmbeddedOptions['logger'];
  readonly metrics: EmbeddedOptions['metrics'];
  readonly resources: Resources;
}) {
  const temporary = resources.add(await openTemporaryPostgres(), ({ remove }) => remove());
  const { postgres } = temporary;
  const neo4j = resources.add(await openEmptyNeo4j(), (open) => open.close());
  const qdrant = resources.add(qdrantTestConfig(), dropCollections);
  const names = resources.add(await openKafkaNames(), ({ remove }) => remove());
  const outbox = resources.add(createPostgresOutbox({ postgres, logger, leaseMs: RELAY_LEASE_MS }), (open) =>
    open.close(),
  );
  const journal = createPostgresJournal({ postgres });
  const marks = { journal: createPostgresJournalIdentity({ postgres }), graph: createNeo4jGraphMark({ neo4j }) };
  await beginMark(marks);
  const graphWriter = createNeo4jGraphWriter({ neo4j });
  const { publishedThrough } = outbox;
  const topicRecords = createPostgresTopicRecords({ postgres });
  const stream = resources.add(
    createKafkaStream({ config: names.config, journal, publishedThrough, topicRecords, logger, metrics }),
    (open) => open.close(),
  );
  const { indexMark, ...index } = await openVectorIndex({
    settings,
    qdrant,
    postgres,
    ...(given && { given }),
    instance: 'on-servers',
    metrics,
    resources,
    startupRetry: { logger, signal: new AbortController().signal, timeoutMs: STARTUP_MS },
  });
  return {
    postgres,
    neo4j,
    outbox,
    journal,
    archive: { journal, identity: marks.journal, embeddings: createPostgresEmbeddingScan({ postgres }) },
    stream,
    topicRecord: () => topicRecords.find(eventTopic(names.config)),
    deadLetters: createPostgresDeadLetters({ postgres }),
    projectorStates: createPostgresProjectorStates({ postgres }),
    cache: createPostgresEmbeddingCache({ postgres }),
    checkMark: createTrackMark({ ...marks, expectMark: graphWriter.expectMark }),
    indexMarks: { journal: marks.journal, index: indexMark },
    graph: createNeo4jGraphReader({ neo4j }),
    inspector: createNeo4jGraphInspector({ neo4j }),
    graphScan: createNeo4jGraphScan({ neo4j }),
    openTarget: index.openEmbedder,
    configuredProvider: configuredProvider(settings),
    lock: createPostgresMaintenanceLock({ postgres }),
    jobs: createPostgresJobs({ postgres }),
    consolidationRecords: createPostgresConsolidationRecords({ postgres }),
    graphReplay: openGraphReplay({ postgres, neo4j, graphWriter }),
    graphWriter,
    ...index,
  } satisfies Engines & Record<'postgres' | 'neo4j' | 'outbox', unknown>;
}
