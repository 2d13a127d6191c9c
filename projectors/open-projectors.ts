/** Opens the projectors over their servers: Kafka, Postgres, Neo4j and Qdrant. Their HTTP port answers health probes only. */
import { createCommandSender } from '../shared/client/command-sender.js';
import { consolidationMigrations } from '../shared/consolidation/postgres/migrations.js';
import { createPostgresConsolidationRecords } from '../shared/consolidation/postgres/postgres-consolidation-records.js';
import { warmUpEncoder } from '../shared/embedding/bundled/warm-up.js';
import { embeddingCacheMigrations } from '../shared/embedding/postgres/migrations.js';
import { createPostgresEmbeddingCache } from '../shared/embedding/postgres/postgres-embedding-cache.js';
import { neo4jPlace, openNeo4j } from '../shared/graph/neo4j/connection/open-neo4j.js';
import { createNeo4jGraphInspector } from '../shared/graph/neo4j/neo4j-graph-inspector.js';
import { createNeo4jGraphReader } from '../shared/graph/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphScan } from '../shared/graph/neo4j/neo4j-graph-scan.js';
import { warmUpReads } from '../shared/graph/neo4j/warm-up.js';
import { createProbes } from '../shared/http/edge-handlers.js';
import { pingAll } from '../shared/http/readiness.js';
import type { StartContext, StartedService } from '../shared/http/run-service.js';
import { jobsMigrations } from '../shared/jobs/postgres/migrations.js';
import { createPostgresJobs } from '../shared/jobs/postgres/postgres-jobs.js';
import { startJobRunner } from '../shared/jobs/run-jobs.js';
import { journalMigrations } from '../shared/journal/postgres/migrations.js';
import { createPostgresDeadLetters } from '../shared/journal/postgres/postgres-dead-letters.js';
import { createPostgresJournal } from '../shared/journal/postgres/postgres-journal.js';
import { createPostgresJournalIdentity } from '../shared/journal/postgres/postgres-journal-identity.js';
import { createPostgresOutboxReader } from '../shared/journal/postgres/postgres-outbox-reader.js';
import { createPostgresProjectorStates } from '../shared/journal/postgres/postgres-projector-states.js';
import { retryStartup } from '../shared/kernel/concurrency/startup-retry.js';
import { createPostgresMaintenanceLock } from '../shared/maintenance/postgres/postgres-maintenance-lock.js';
import { openPostgres, postgresPlace } from '../shared/postgres/open-postgres.js';
import { createKafkaStream } from '../shared/stream/kafka/kafka-stream.js';
import { kafkaPlace } from '../shared/stream/kafka/kafka-variables.js';
import { streamMigrations } from '../shared/stream/postgres/migrations.js';
import { createPostgresTopicRecords } from '../shared/stream/postgres/postgres-topic-records.js';
import { qdrantPlace } from '../shared/vectors/qdrant/qdrant-variables.js';
import { spaceMigrations } from '../shared/vectors/spaces/postgres/migrations.js';
import { openVectorIndex } from './open-vector-index.js';
import type { ProjectorProcessConfig } from './process-config.js';
import { createProjectors } from './projectors.js';

export async function openProjectors({
  config,
  instance,
  logger,
  metrics,
  clock,
  resources,
  startupRetry,
}: StartContext<ProjectorProcessConfig>): Promise<StartedService> {
  const rooms = [
    journalMigrations,
    embeddingCacheMigrations,
    streamMigrations,
    spaceMigrations,
    jobsMigrations,
    consolidationMigrations,
  ];
  const postgres = await openPostgres({ config: config.postgres, rooms, metrics, resources, startupRetry });
  const { indexMark, ...index } = await openVectorIndex({
    settings: config.embedding,
    qdrant: config.qdrant,
    postgres,
    instance,
    metrics,
    resources,
    startupRetry,
  });
  const neo4j = await openNeo4j({
    config: config.neo4j,
    warmUp: (opened) => warmUpReads(opened, { excludedTypes: [] }),
    resources,
    startupRetry,
  });
  const journal = createPostgresJournal({ postgres });
  const outbox = createPostgresOutboxReader({ postgres });
  const { publishedThrough } = outbox;
  const lock = createPostgresMaintenanceLock({ postgres });
  const jobs = createPostgresJobs({ postgres });
  const topicRecords = createPostgresTopicRecords({ postgres });
  const stream = resources.add(
    createKafkaStream({ config: config.kafka, journal, publishedThrough, topicRecords, logger, metrics }),
    (opened) => opened.close(),
  );
  const commands = createCommandSender({ urls: config.commandApiUrls, token: config.internalToken });
  const projectors = await retryStartup(
    kafkaPlace(config.kafka),
    () =>
      createProjectors({
        source: stream,
        publisher: stream,
        journal,
        ...index,
        logger,
        clock,
        instance,
        indexMarks: {
          journal: createPostgresJournalIdentity({ postgres }),
          index: indexMark,
        },
        graph: createNeo4jGraphReader({ neo4j }),
        inspector: createNeo4jGraphInspector({ neo4j }),
        graphScan: createNeo4jGraphScan({ neo4j }),
        lock,
        jobs,
        consolidationRecords: createPostgresConsolidationRecords({ postgres }),
        outbox,
        cache: createPostgresEmbeddingCache({ postgres }),
        deadLetters: createPostgresDeadLetters({ postgres }),
        states: createPostgresProjectorStates({ postgres }),
        touch: commands.touch,
        recordEnrichments: commands.recordEnrichments,
        recordConsolidation: commands.recordConsolidation,
        config: config.projectors,
      }),
    startupRetry,
  );
  resources.add(projectors, (running) => running.close());
  await warmUpEncoder(index.embedder, logger);
  resources.add(startJobRunner({ jobs, lock, runs: projectors.runs, logger }), (started) => started.close());
  return {
    handlers: createProbes(() =>
      pingAll({ journal: () => journal.ping(), stream: () => stream.ping(), vectors: () => index.vectors.ping() }),
    ),
    uses: [
      kafkaPlace(config.kafka),
      postgresPlace(config.postgres),
      neo4jPlace(config.neo4j),
      qdrantPlace(config.qdrant),
      `the command API at ${config.commandApiUrls.join(', ')}`,
    ],
  };
}
