/** What has to be there before the processes of the distributed composition start, in the order in which it is made. */
import { embeddingCacheMigrations } from '../../shared/embedding/postgres/migrations.js';
import { expectedDimension } from '../../shared/embedding/expected-dimension.js';
import { embeddingVariables } from '../../shared/embedding/embedding-variables.js';
import { connectNeo4j } from '../../shared/graph/neo4j/connect-neo4j.js';
import { neo4jConfig, type Neo4jConfig } from '../../shared/graph/neo4j/neo4j-variables.js';
import { ensureNeo4jSchema, GRAPH_SCHEMA_VERSION } from '../../shared/graph/neo4j/schema.js';
import { journalMigrations } from '../../shared/journal/postgres/migrations.js';
import { readVariables, type Environment } from '../../shared/kernel/config.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { readParts } from '../../shared/kernel/read-parts.js';
import { createPostgres } from '../../shared/postgres/create-postgres.js';
import { migratePostgres } from '../../shared/postgres/migrate-postgres.js';
import { postgresConfig, type PostgresConfig } from '../../shared/postgres/postgres-variables.js';
import { createKafkaPublisher } from '../../shared/stream/kafka/create-kafka-publisher.js';
import { kafkaConfig, type KafkaConfig } from '../../shared/stream/kafka/kafka-variables.js';
import { openQdrantVectorIndex } from '../../shared/vectors/qdrant/open-qdrant-vector-index.js';
import { qdrantConfig, type QdrantConfig } from '../../shared/vectors/qdrant/qdrant-variables.js';

/** Safe to run again, and by several installers at once. `run` opens what it needs, closes it, and answers in a few words what it did. */
export type Step = { readonly name: string; readonly run: () => Promise<string> };

/** Throws ConfigurationError before anything is touched. */
export function migrationSteps({
  environment,
  logger,
}: {
  readonly environment: Environment;
  readonly logger: Logger;
}): readonly Step[] {
  const { postgres, neo4j, kafka, qdrant, dimension } = readParts({
    postgres: () => postgresConfig(environment),
    neo4j: () => neo4jConfig(environment),
    kafka: () => kafkaConfig(environment),
    qdrant: () => qdrantConfig(environment),
    dimension: () => expectedDimension(readVariables(embeddingVariables, environment)),
  });
  return [
    { name: 'postgres', run: () => migrateTables(postgres, logger) },
    { name: 'neo4j', run: () => makeGraphSchema(neo4j, logger) },
    { name: 'kafka', run: () => makeTopics(kafka, logger) },
    { name: 'qdrant', run: () => makeCollection(qdrant, { dimension, logger }) },
  ];
}

async function migrateTables(config: PostgresConfig, logger: Logger): Promise<string> {
  const postgres = createPostgres({ config: { ...config, poolSize: 1 }, logger });
  try {
    const rooms = await migratePostgres(postgres, [journalMigrations, embeddingCacheMigrations]);
    return rooms
      .map(({ room, from, to }) =>
        from === to ? `${room} is at version ${to}` : `${room} brought from version ${from} to ${to}`,
      )
      .join(', ');
  } finally {
    await postgres.close();
  }
}

async function makeGraphSchema(config: Neo4jConfig, logger: Logger): Promise<string> {
  const neo4j = await connectNeo4j({ config, logger });
  try {
    await ensureNeo4jSchema(neo4j);
    return `constraints and indexes are at version ${GRAPH_SCHEMA_VERSION}`;
  } finally {
    await neo4j.close();
  }
}

async function makeTopics(config: KafkaConfig, logger: Logger): Promise<string> {
  const publisher = createKafkaPublisher({ config, logger });
  try {
    await publisher.connect();
    return 'the topics are there';
  } finally {
    await publisher.close();
  }
}

async function makeCollection(
  config: QdrantConfig,
  { dimension, logger }: { readonly dimension: number | null; readonly logger: Logger },
): Promise<string> {
  if (dimension === null)
    return "the size of vectors is the model's own: the projectors make the collection when they have asked it";
  const { dimension: stored } = await openQdrantVectorIndex({ config, dimension, logger });
  return `the collection ${config.collection} holds vectors of ${stored}`;
}
