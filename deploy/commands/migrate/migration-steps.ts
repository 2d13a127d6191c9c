/** The steps that prepare the servers before the processes of the distributed composition start, in their order. */
import { compareTopics, ensureTopics } from '../../../shared/engines/kafka/ensure-topics.js';
import { createKafkaAdmin } from '../../../shared/engines/kafka/kafka-admin.js';
import { createKafkaClient } from '../../../shared/engines/kafka/kafka-client.js';
import { type KafkaConfig, kafkaConfig } from '../../../shared/engines/kafka/kafka-variables.js';
import { expectedDimension } from '../../../shared/engines/models/choose-embedder.js';
import { embeddingVariables } from '../../../shared/engines/models/embedding-variables.js';
import { connectNeo4j } from '../../../shared/engines/neo4j/connection/connect-neo4j.js';
import { type Neo4jConfig, neo4jConfig } from '../../../shared/engines/neo4j/connection/neo4j-variables.js';
import { ensureNeo4jSchema, GRAPH_SCHEMA_VERSION } from '../../../shared/engines/neo4j/schema/schema.js';
import { migratePostgres } from '../../../shared/engines/postgres/connection/migrate-postgres.js';
import { createPostgres } from '../../../shared/engines/postgres/connection/postgres-pool.js';
import { type PostgresConfig, postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { POSTGRES_SCHEMA } from '../../../shared/engines/postgres/schema/schema.js';
import { openQdrantVectorIndex } from '../../../shared/engines/qdrant/open-qdrant-vector-index.js';
import { type QdrantConfig, qdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { type Environment, readVariables } from '../../../shared/kernel/config/config.js';
import { readParts } from '../../../shared/kernel/config/read-parts.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { VectorSpace } from '../../../shared/ports/vector-spaces.js';

/** Safe to run again, and by several installers at once. Resolves with a short text about its result. */
export type Step = { readonly name: string; readonly run: () => Promise<string> };

/** Throws ConfigurationError before anything is changed. */
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
    { name: 'neo4j', run: () => migrateGraphSchema(neo4j, logger) },
    { name: 'kafka', run: () => createTopics(kafka, logger) },
    { name: 'qdrant', run: () => createCollection(qdrant, { postgres, dimension, logger }) },
  ];
}

async function migrateTables(config: PostgresConfig, logger: Logger): Promise<string> {
  const postgres = createPostgres({ config: { ...config, poolSize: 1 }, logger });
  try {
    const components = await migratePostgres(postgres, POSTGRES_SCHEMA);
    return components
      .map(({ component, from, to }) =>
        from === to ? `${component} is at version ${to}` : `${component} brought from version ${from} to ${to}`,
      )
      .join(', ');
  } finally {
    await postgres.close();
  }
}

async function migrateGraphSchema(config: Neo4jConfig, logger: Logger): Promise<string> {
  const neo4j = await connectNeo4j({ config, logger });
  try {
    await ensureNeo4jSchema(neo4j);
    return `constraints and indexes are at version ${GRAPH_SCHEMA_VERSION}`;
  } finally {
    await neo4j.close();
  }
}

async function createTopics(config: KafkaConfig, logger: Logger): Promise<string> {
  const kafka = createKafkaClient({ config, logger });
  const admin = createKafkaAdmin(kafka);
  try {
    await ensureTopics({ kafka, config });
    await compareTopics({ admin, config, logger });
    return 'the topics exist';
  } finally {
    await admin.close();
  }
}

async function createCollection(
  config: QdrantConfig,
  {
    postgres,
    dimension: expected,
    logger,
  }: { readonly postgres: PostgresConfig; readonly dimension: number | null; readonly logger: Logger },
): Promise<string> {
  const space = await activeSpace(postgres, logger);
  const dimension = space?.dimension ?? expected;
  if (dimension === null)
    return 'the model decides the size of vectors: the projectors create the collection when the model has answered';
  const { dimension: stored } = await openQdrantVectorIndex({ config, dimension, number: space?.number ?? 1, logger });
  return `the collection ${config.collection} holds vectors of ${stored}`;
}

/** Null in a deployment whose projectors have never started. */
async function activeSpace(config: PostgresConfig, logger: Logger): Promise<VectorSpace | null> {
  const postgres = createPostgres({ config: { ...config, poolSize: 1 }, logger });
  try {
    return await postgresRecords(postgres).spaces.active();
  } finally {
    await postgres.close();
  }
}
