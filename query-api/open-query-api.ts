/**
 * The query API over its servers. It needs Neo4j alone. Without Qdrant recall goes by keywords, without Postgres health knows less, and
 * without Kafka nobody learns which memories were read, and who watches the live stream sees what is journalled alone.
 */
import { createNeo4jGraphReader } from '../shared/graph/neo4j/create-neo4j-graph-reader.js';
import { neo4jPlace, openNeo4j } from '../shared/graph/neo4j/open-neo4j.js';
import { warmUpReads } from '../shared/graph/neo4j/warm-up.js';
import { demandAnswers } from '../shared/http/demand-answers.js';
import { createEdgeHandlers } from '../shared/http/edge-handlers.js';
import { openApiDocument } from '../shared/http/openapi.js';
import type { Opened, Opening } from '../shared/http/run-service.js';
import { createPostgresDeadLetters } from '../shared/journal/postgres/create-postgres-dead-letters.js';
import { createPostgresJournal } from '../shared/journal/postgres/create-postgres-journal.js';
import { createPostgresOutboxReader } from '../shared/journal/postgres/create-postgres-outbox-reader.js';
import { createPostgresProjectorStates } from '../shared/journal/postgres/create-postgres-projector-states.js';
import { createPostgres } from '../shared/postgres/create-postgres.js';
import { postgresPlace } from '../shared/postgres/open-postgres.js';
import { createKafkaStream } from '../shared/stream/kafka/create-kafka-stream.js';
import { kafkaPlace } from '../shared/stream/kafka/kafka-variables.js';
import { qdrantPlace } from '../shared/vectors/qdrant/qdrant-variables.js';
import { createQueryApi } from './create-query-api.js';
import { openVectorSearch } from './open-vector-search.js';
import type { QueryProcessConfig } from './process-config.js';
import { createActivityFeed } from './stream/create-activity-feed.js';

export async function openQueryApi({
  config,
  version,
  instance,
  logger,
  clock,
  resources,
  patience,
}: Opening<QueryProcessConfig>): Promise<Opened> {
  const { excludedTypes } = config.query.recall;
  const neo4j = await openNeo4j({
    config: config.neo4j,
    warmUp: (opened) => warmUpReads(opened, { excludedTypes }),
    resources,
    patience,
  });
  const graph = createNeo4jGraphReader({ neo4j });
  const { embedder, vectors } = await openVectorSearch({
    settings: config.embedding,
    qdrant: config.qdrant,
    logger,
    resources,
  });
  // Neither is waited for: each connects when it is first asked.
  const postgres = resources.add(createPostgres({ config: config.postgres, logger }), (opened) => opened.close());
  const [journal, outbox] = [createPostgresJournal({ postgres }), createPostgresOutboxReader({ postgres })];
  const { publishedThrough } = outbox;
  const stream = resources.add(
    createKafkaStream({ config: config.kafka, journal, publishedThrough, logger }),
    (opened) => opened.close(),
  );
  const activity = resources.add(createActivityFeed({ source: stream, instance, logger }), (feed) => feed.close());
  const queryApi = createQueryApi({
    graph,
    vectors,
    embedder,
    journal,
    outbox,
    activity,
    instance,
    clock,
    logger,
    publisher: stream,
    deadLetters: createPostgresDeadLetters({ postgres }),
    projectorStates: createPostgresProjectorStates({ postgres }),
    config: config.query,
    about: { version, graph: config.neo4j.database, vectorSize: config.embedding.VECTOR_SIZE ?? embedder.dimension },
  });
  const ready = () => demandAnswers({ graph: () => graph.ping() });
  return {
    handlers: { ...queryApi.handlers, ...createEdgeHandlers({ ready, openapi: openApiDocument({ version }) }) },
    uses: [
      neo4jPlace(config.neo4j),
      qdrantPlace(config.qdrant),
      postgresPlace(config.postgres),
      kafkaPlace(config.kafka),
    ],
  };
}
