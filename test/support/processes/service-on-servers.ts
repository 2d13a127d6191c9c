/**
 * The whole service in the test's process over the engines of the distributed composition, like `createEmbedded` over
 * one folder. It has its own database, topics and collection, and uses the only graph. Closing the service removes all
 * of its data.
 */
import { createGuardedCommitter } from '../../../command-api/guarded-committer.js';
import { openGraphReplay } from '../../../command-api/open-graph-replay.js';
import { relayConfig } from '../../../command-api/relay/process-config.js';
import { createRelay } from '../../../command-api/relay/relay.js';
import { startCleaning } from '../../../command-api/start-cleaning.js';
import { composeApp } from '../../../deploy/embedded/compose-app.js';
import { composeService } from '../../../deploy/embedded/compose-service.js';
import type { Embedded, EmbeddedOptions } from '../../../deploy/embedded/embedded.js';
import type { Engines } from '../../../deploy/embedded/engines.js';
import { settleAll } from '../../../deploy/embedded/settle-all.js';
import { openVectorIndex } from '../../../projectors/open-vector-index.js';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import type { KafkaConfig } from '../../../shared/engines/kafka/kafka-variables.js';
import { openKafkaStream } from '../../../shared/engines/kafka/open.js';
import { eventTopic } from '../../../shared/engines/kafka/topics.js';
import { configuredProvider } from '../../../shared/engines/models/open-target.js';
import { neo4jPorts } from '../../../shared/engines/neo4j/open.js';
import { commitConfig } from '../../../shared/engines/postgres/commit/commit-variables.js';
import type { PostgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { postgresPorts } from '../../../shared/engines/postgres/open.js';
import type { QdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { createOpenRequests } from '../../../shared/http/request/open-requests.js';
import { beginMark, createTrackMark } from '../../../shared/integrity/journal-mark/check-mark.js';
import { watchMark } from '../../../shared/integrity/journal-mark/watch-mark.js';
import { startGraphRebuilder } from '../../../shared/integrity/replay/graph-rebuilder.js';
import { createResources, type Resources } from '../../../shared/kernel/concurrency/resources.js';
import type { Embedder } from '../../../shared/ports/embedder.js';
import { until } from '../checks/until.js';
import { openKafkaNames } from '../servers/kafka.js';
import { openEmptyNeo4j } from '../servers/neo4j.js';
import { openTemporaryPostgres } from '../servers/postgres.js';
import { dropCollections, qdrantTestConfig } from '../servers/qdrant.js';

/** Where the service has its data; the graph is the only one of the server. */
export type ServerStores = {
  readonly postgres: Pick<PostgresConfig, 'url'>;
  readonly qdrant: QdrantConfig;
  readonly kafka: KafkaConfig;
};

let last: Resources | null = null;

/** Closes the service before it, because each of the two would rebuild the only graph from its own journal. */
export async function createOnServers(
  options: EmbeddedOptions,
  onOpened: (stores: ServerStores) => void = () => undefined,
): Promise<Omit<Embedded, 'warmUp'>> {
  await last?.close().catch(() => undefined /* its own test reports it */);
  const resources = createResources();
  last = resources;
  try {
    return { ...(await compose({ ...options, onOpened }, resources)), close: () => resources.close() };
  } catch (error) {
    await resources.close();
    throw error;
  }
}

const RELAY = relayConfig({});

type Opening = { readonly onOpened: (stores: ServerStores) => void };

async function compose(
  { embedder: given, alter, onOpened, ...options }: EmbeddedOptions & Opening,
  resources: Resources,
): Promise<Omit<Embedded, 'warmUp' | 'close'>> {
  const { config, logger } = options;
  const { postgres, neo4j, ...own } = await openServerEngines({
    given,
    onOpened,
    settings: config.embedding,
    logger,
    metrics: options.metrics,
    resources,
  });
  const { outbox, stream } = own;
  const engines = { ...own, ...alter?.(own) };
  const watch = resources.add(await watchMark({ checkMark: engines.checkMark, logger }), (open) => open.close());
  async function applyReplayed(events: readonly RecordedEvent[]): Promise<void> {
    await engines.graph.ping(); // fails where a test has broken the graph
    await neo4j.graphWriter.applyReplayed(events);
  }
  const { hold, replay } = openGraphReplay(postgres, { ...neo4j, graphWriter: { applyReplayed } });
  const rebuilder = startGraphRebuilder({
    finding: watch.finding,
    hold,
    replay: (signal) => replay({ signal, onlyIfBehind: true, pausePercent: commitConfig({}).rebuildPausePercent }),
    logger,
  });
  resources.add(rebuilder, (started) => started.close());
  const { deadLetters } = postgres;
  const relay = resources.add(createRelay({ outbox, publisher: stream, deadLetters, logger, config: RELAY }), (open) =>
    open.close(),
  );
  const committer = resources.add(
    postgres.createCommitter({
      graph: { apply: engines.graphWriter.apply, ping: engines.graph.ping },
      logger,
      metrics: options.metrics,
      config: commitConfig({}),
    }),
    (open) => open.close(),
  );
  const cleaning = { graph: () => own.graphWriter.clearHub(), journal: postgres.eraseRest };
  resources.add(startCleaning({ ...cleaning, logger }), (started) => started.close());
  const composed = await composeService({
    ...options,
    engines,
    tenant: null,
    tenants: null,
    openRequests: createOpenRequests(),
    committer: createGuardedCommitter(committer, watch.requireSameJournal),
    graphState: watch,
    instance: 'on-servers',
    resources,
  });
  return {
    app: await composeApp({ ...options, service: { ...composed, engines } }),
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

const SETTLED_DEADLINE_MS = 45_000;
const STARTUP_MS = 30_000;
/** Enough for more than one order of events. A test run creates and deletes hundreds of topics. */
const TOPICS = { KAFKA_PARTITIONS: '2' };

async function openServerEngines({
  given,
  onOpened,
  settings,
  logger,
  metrics,
  resources,
}: Opening & {
  readonly given: Embedder | undefined;
  readonly settings: EmbeddedOptions['config']['embedding'];
  readonly logger: EmbeddedOptions['logger'];
  readonly metrics: EmbeddedOptions['metrics'];
  readonly resources: Resources;
}) {
  const qdrant = qdrantTestConfig();
  const [temporary, graph, names] = await Promise.all([
    openTemporaryPostgres(),
    openEmptyNeo4j(),
    openKafkaNames(TOPICS),
  ]);
  resources.add(qdrant, async () => {
    await Promise.all([temporary.remove(), graph.close(), names.remove(), dropCollections(qdrant)]);
  });
  const postgres = postgresPorts(temporary.postgres);
  const neo4j = neo4jPorts(graph);
  const outbox = resources.add(postgres.createOutbox({ logger, leaseMs: RELAY.leaseMs }), (open) => open.close());
  onOpened({ postgres: temporary.config, qdrant, kafka: names.config });
  const { journal, identity, embeddings, topicRecords } = postgres;
  const marks = { journal: identity, graph: neo4j.graphMark };
  await beginMark(marks);
  const stream = openKafkaStream({ ...postgres, outbox, config: names.config, logger, metrics, resources });
  const { indexMark, ...index } = await openVectorIndex({
    settings,
    config: qdrant,
    spaces: postgres.spaces,
    ...(given && { given }),
    instance: 'on-servers',
    metrics,
    resources,
    startupRetry: { logger, signal: new AbortController().signal, timeoutMs: STARTUP_MS },
  });
  return {
    ...postgres,
    ...neo4j,
    ...index,
    postgres,
    neo4j,
    outbox,
    stream,
    archive: { journal, identity, embeddings },
    topicRecord: () => topicRecords.find(eventTopic(names.config)),
    checkMark: createTrackMark({ ...marks, memory: neo4j.graphWriter.markMemory }),
    indexMarks: { journal: identity, index: indexMark },
    openTarget: index.openEmbedder,
    configuredProvider: configuredProvider(settings),
    graphReplay: openGraphReplay(postgres, neo4j),
  } satisfies Engines & Record<'postgres' | 'neo4j' | 'outbox', unknown>;
}
