/** The steps that prepare the servers before the processes of the distributed composition start, in their order. */
import { createTopics } from '../shared/engines/kafka/create-topics.js';
import { kafkaConfig } from '../shared/engines/kafka/kafka-variables.js';
import { expectedDimension } from '../shared/engines/models/choose-embedder.js';
import { embeddingVariables } from '../shared/engines/models/embedding-variables.js';
import { type Neo4jConfig, neo4jConfig } from '../shared/engines/neo4j/connection/neo4j-variables.js';
import { openNeo4jOnce } from '../shared/engines/neo4j/open.js';
import { GRAPH_SCHEMA_VERSION } from '../shared/engines/neo4j/schema/schema.js';
import { type PostgresConfig, postgresConfig } from '../shared/engines/postgres/connection/postgres-variables.js';
import { usePostgres } from '../shared/engines/postgres/open.js';
import { openQdrantVectorIndex } from '../shared/engines/qdrant/open-qdrant-vector-index.js';
import { type QdrantConfig, qdrantConfig } from '../shared/engines/qdrant/qdrant-variables.js';
import { createResources } from '../shared/kernel/concurrency/resources.js';
import { type Environment, readVariables } from '../shared/kernel/config/config.js';
import { readParts } from '../shared/kernel/config/read-parts.js';
import type { Logger } from '../shared/kernel/logger.js';

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
    {
      name: 'kafka',
      run: async () => {
        await createTopics({ config: kafka, logger });
        return 'the topics exist';
      },
    },
    { name: 'qdrant', run: () => createCollection(qdrant, { postgres, dimension, logger }) },
  ];
}

async function migrateTables(config: PostgresConfig, logger: Logger): Promise<string> {
  const components = await usePostgres({ config, logger }, ({ migrate }) => migrate());
  return components
    .map(({ component, from, to }) =>
      from === to ? `${component} is at version ${to}` : `${component} brought from version ${from} to ${to}`,
    )
    .join(', ');
}

async function migrateGraphSchema(config: Neo4jConfig, logger: Logger): Promise<string> {
  const resources = createResources();
  try {
    const { ensureSchema } = await openNeo4jOnce({ config, logger, resources });
    await ensureSchema();
    return `constraints and indexes are at version ${GRAPH_SCHEMA_VERSION}`;
  } finally {
    await resources.close();
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
  // Null in a deployment whose projectors have never started.
  const space = await usePostgres({ config: postgres, logger }, ({ spaces }) => spaces.active());
  const dimension = space?.dimension ?? expected;
  if (dimension === null)
    return 'the model decides the size of vectors: the projectors create the collection when the model has answered';
  const { dimension: stored } = await openQdrantVectorIndex({ config, dimension, number: space?.number ?? 1, logger });
  return `the collection ${config.collection} holds vectors of ${stored}`;
}
