/** The projectors over their servers: Kafka, Postgres, Neo4j and Qdrant. They serve nobody: their port answers probes alone. */
import { createCommandSender } from '../shared/client/create-command-sender.js';
import { createPostgresEmbeddingCache } from '../shared/embedding/postgres/create-postgres-embedding-cache.js';
import { embeddingCacheMigrations } from '../shared/embedding/postgres/migrations.js';
import { createNeo4jGraphReader } from '../shared/graph/neo4j/create-neo4j-graph-reader.js';
import { neo4jPlace, openNeo4j } from '../shared/graph/neo4j/open-neo4j.js';
import { warmUpReads } from '../shared/graph/neo4j/warm-up.js';
import { demandAnswers } from '../shared/http/demand-answers.js';
import { createProbes } from '../shared/http/edge-handlers.js';
import type { Opened, Opening } from '../shared/http/run-service.js';
import { createPostgresDeadLetters } from '../shared/journal/postgres/create-postgres-dead-letters.js';
import { createPostgresJournal } from '../shared/journal/postgres/create-postgres-journal.js';
import { createPostgresOutboxReader } from '../shared/journal/postgres/create-postgres-outbox-reader.js';
import { createPostgresProjectorStates } from '../shared/journal/postgres/create-postgres-projector-states.js';
import { journalMigrations } from '../shared/journal/postgres/migrations.js';
import { keepTrying } from '../shared/kernel/keep-trying.js';
import { openPostgres, postgresPlace } from '../shared/postgres/open-postgres.js';
import { createKafkaStream } from '../shared/stream/kafka/create-kafka-stream.js';
import { kafkaPlace } from '../shared/stream/kafka/kafka-variables.js';
import { qdrantPlace } from '../shared/vectors/qdrant/qdrant-variables.js';
import { createProjectors } from './create-projectors.js';
import { openVectorIndex } from './open-vector-index.js';
import type { ProjectorProcessConfig } from './process-config.js';

export async function openProjectors({
  config,
  instance,
  logger,
  clock,
  resources,
  patience,
}: Opening<ProjectorProcessConfig>): Promise<Opened> {
  const rooms = [journalMigrations, embeddingCacheMigrations];
  const postgres = await openPostgres({ config: config.postgres, rooms, resources, patience });
  const { embedder, vectors } = await openVectorIndex({
    settings: config.embedding,
    qdrant: config.qdrant,
    resources,
    patience,
  });
  const neo4j = await openNeo4j({
    config: config.neo4j,
    warmUp: (opened) => warmUpReads(opened, { excludedTypes: [] }),
    resources,
    patience,
  });
  const journal = createPostgresJournal({ postgres });
  const { publishedThrough } = createPostgresOutboxReader({ postgres });
  const stream = resources.add(
    createKafkaStream({ config: config.kafka, journal, publishedThrough, logger }),
    (opened) => opened.close(),
  );
  const commands = createCommandSender({ urls: config.commandApiUrls, token: config.internalToken });
  const projectors = await keepTrying(
    kafkaPlace(config.kafka),
    () =>
      createProjectors({
        source: stream,
        publisher: stream,
        journal,
        embedder,
        vectors,
        logger,
        clock,
        instance,
        graph: createNeo4jGraphReader({ neo4j }),
        cache: createPostgresEmbeddingCache({ postgres }),
        deadLetters: createPostgresDeadLetters({ postgres }),
        states: createPostgresProjectorStates({ postgres }),
        touch: commands.touch,
        recordEnrichments: commands.recordEnrichments,
        config: config.projectors,
      }),
    patience,
  );
  resources.add(projectors, (running) => running.close());
  return {
    handlers: createProbes(() =>
      demandAnswers({ journal: () => journal.ping(), stream: () => stream.ping(), vectors: () => vectors.ping() }),
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
