/**
 * Opens the query API with its servers. Only Neo4j is required. Without Qdrant, and until Postgres has named the
 * vector index once, recall uses keywords. Without Postgres health reports less, and without Kafka reads are not published and the live stream
 * shows only journalled events.
 */
import { createPostgresConsolidationRecords } from '../shared/consolidation/postgres/postgres-consolidation-records.js';
import { warmUpEncoder } from '../shared/embedding/bundled/warm-up.js';
import { createPostgresEmbeddingScan } from '../shared/embedding/postgres/postgres-embedding-scan.js';
import { neo4jPlace, openNeo4j } from '../shared/graph/neo4j/connection/open-neo4j.js';
import { createNeo4jGraphInspector } from '../shared/graph/neo4j/neo4j-graph-inspector.js';
import { createNeo4jGraphMark } from '../shared/graph/neo4j/neo4j-graph-mark.js';
import { createNeo4jGraphReader } from '../shared/graph/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphScan } from '../shared/graph/neo4j/neo4j-graph-scan.js';
import { warmUpReads } from '../shared/graph/neo4j/warm-up.js';
import { createEdgeHandlers } from '../shared/http/edge-handlers.js';
import { openApiDocument } from '../shared/http/openapi/openapi-document.js';
import { pingAll } from '../shared/http/readiness.js';
import type { StartContext, StartedService } from '../shared/http/run-service.js';
import { createPostgresJobs } from '../shared/jobs/postgres/postgres-jobs.js';
import { createCheckIndexMark } from '../shared/journal/check-index-mark.js';
import { createCheckMark } from '../shared/journal/check-mark.js';
import { createPostgresDeadLetters } from '../shared/journal/postgres/postgres-dead-letters.js';
import { createPostgresJournal } from '../shared/journal/postgres/postgres-journal.js';
import { createPostgresJournalIdentity } from '../shared/journal/postgres/postgres-journal-identity.js';
import { createPostgresOutboxReader } from '../shared/journal/postgres/postgres-outbox-reader.js';
import { createPostgresProjectorStates } from '../shared/journal/postgres/postgres-projector-states.js';
import { createPostgresMaintenanceLock } from '../shared/maintenance/postgres/postgres-maintenance-lock.js';
import { postgresPlace } from '../shared/postgres/open-postgres.js';
import { createPostgres } from '../shared/postgres/postgres-pool.js';
import { createKafkaStream } from '../shared/stream/kafka/kafka-stream.js';
import { kafkaPlace } from '../shared/stream/kafka/kafka-variables.js';
import { eventTopic } from '../shared/stream/kafka/topics.js';
import { createPostgresTopicRecords } from '../shared/stream/postgres/postgres-topic-records.js';
import { qdrantPlace } from '../shared/vectors/qdrant/qdrant-variables.js';
import { configuredProvider } from '../shared/vectors/spaces/open-target.js';
import { openVectorSearch } from './open-vector-search.js';
import type { QueryProcessConfig } from './process-config.js';
import { createQueryApi } from './query-api.js';
import { createActivityFeed } from './stream/activity-feed.js';

/**
 * An engine ends a search this long after the recall stopped waiting for it. The recall stops first, because a source that is only too slow
 * does not count as a failed engine.
 */
const ENGINE_GRACE_MS = 500;

export async function openQueryApi({
  config,
  version,
  instance,
  logger,
  metrics,
  clock,
  resources,
  startupRetry,
}: StartContext<QueryProcessConfig>): Promise<StartedService> {
  const { excludedTypes } = config.query.recall;
  const searchTimeoutMs = config.query.recall.sourceTimeoutMs + ENGINE_GRACE_MS;
  const neo4j = await openNeo4j({
    config: config.neo4j,
    warmUp: (opened) => warmUpReads(opened, { excludedTypes }),
    resources,
    startupRetry,
  });
  const graph = createNeo4jGraphReader({ neo4j, searchTimeoutMs });
  // The start does not wait for these two: each connects at its first use.
  const postgres = resources.add(createPostgres({ config: config.postgres, logger, metrics }), (opened) =>
    opened.close(),
  );
  const { embedder, vectors, indexMark, spaces, openTarget } = await openVectorSearch({
    settings: config.embedding,
    qdrant: { ...config.qdrant, timeoutMs: Math.min(config.qdrant.timeoutMs, searchTimeoutMs) },
    postgres,
    instance,
    logger,
    metrics,
    resources,
  });
  const [journal, outbox] = [createPostgresJournal({ postgres }), createPostgresOutboxReader({ postgres })];
  const identity = createPostgresJournalIdentity({ postgres });
  const { publishedThrough } = outbox;
  const topicRecords = createPostgresTopicRecords({ postgres });
  const stream = resources.add(
    createKafkaStream({ config: config.kafka, journal, publishedThrough, topicRecords, logger, metrics }),
    (opened) => opened.close(),
  );
  const activity = resources.add(createActivityFeed({ source: stream, instance, logger }), (feed) => feed.close());
  const vectorSize = config.embedding.VECTOR_SIZE ?? embedder.dimension;
  const queryApi = createQueryApi({
    graph,
    inspector: createNeo4jGraphInspector({ neo4j }),
    graphScan: createNeo4jGraphScan({ neo4j }),
    jobs: createPostgresJobs({ postgres }),
    consolidationRecords: createPostgresConsolidationRecords({ postgres }),
    spaces,
    openTarget,
    configuredProvider: configuredProvider(config.embedding),
    lock: createPostgresMaintenanceLock({ postgres }),
    vectors,
    embedder,
    journal,
    archive: { journal, identity, embeddings: createPostgresEmbeddingScan({ postgres }) },
    outbox,
    activity,
    instance,
    clock,
    logger,
    metrics,
    publisher: stream,
    topicRecord: () => topicRecords.find(eventTopic(config.kafka)),
    deadLetters: createPostgresDeadLetters({ postgres }),
    projectorStates: createPostgresProjectorStates({ postgres }),
    checkMark: createCheckMark({ journal: identity, graph: createNeo4jGraphMark({ neo4j }) }),
    checkIndexMark: createCheckIndexMark({
      journal: identity,
      index: indexMark,
    }),
    config: config.query,
    about: { version, graph: config.neo4j.database, vectorSize },
  });
  await warmUpEncoder(embedder, logger);
  const ready = () => pingAll({ graph: () => graph.ping() });
  return {
    handlers: {
      ...queryApi.handlers,
      ...createEdgeHandlers({ ready, openapi: openApiDocument({ version, vectorSize }) }),
    },
    uses: [
      neo4jPlace(config.neo4j),
      qdrantPlace(config.qdrant),
      postgresPlace(config.postgres),
      kafkaPlace(config.kafka),
    ],
  };
}
