/** Connects to the stores of the distributed composition, with the variables of the query API. */
import { queryConfig } from '../../query-api/config.js';
import { openVectorSearch } from '../../query-api/open-vector-search.js';
import { embeddingVariables } from '../../shared/embedding/embedding-variables.js';
import { connectNeo4j } from '../../shared/graph/neo4j/connection/connect-neo4j.js';
import { neo4jConfig } from '../../shared/graph/neo4j/connection/neo4j-variables.js';
import { createNeo4jGraphReader } from '../../shared/graph/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphScan } from '../../shared/graph/neo4j/neo4j-graph-scan.js';
import { journalMigrations } from '../../shared/journal/postgres/migrations.js';
import { createPostgresDeadLetters } from '../../shared/journal/postgres/postgres-dead-letters.js';
import { createPostgresJournal } from '../../shared/journal/postgres/postgres-journal.js';
import { createPostgresOutboxReader } from '../../shared/journal/postgres/postgres-outbox-reader.js';
import { readVariables } from '../../shared/kernel/config/config.js';
import { readParts } from '../../shared/kernel/config/read-parts.js';
import { startConfig } from '../../shared/kernel/config/start-variables.js';
import { openPostgres } from '../../shared/postgres/open-postgres.js';
import { postgresConfig } from '../../shared/postgres/postgres-variables.js';
import { qdrantConfig } from '../../shared/vectors/qdrant/qdrant-variables.js';
import type { OpenStores } from './open-stores.js';

export const openDistributed: OpenStores = async ({ environment, logger, resources, signal }) => {
  const config = readParts({
    start: () => startConfig(environment),
    postgres: () => postgresConfig(environment),
    neo4j: () => neo4jConfig(environment),
    qdrant: () => qdrantConfig(environment),
    query: () => queryConfig(environment),
    embedding: () => readVariables(embeddingVariables, environment),
  });
  const startupRetry = { logger, signal, timeoutMs: config.start.timeoutMs };
  const postgres = await openPostgres({ config: config.postgres, rooms: [journalMigrations], resources, startupRetry });
  const connected = await connectNeo4j({ config: config.neo4j, logger });
  const neo4j = resources.add(connected, (opened) => opened.close());
  const { embedder, vectors } = await openVectorSearch({
    settings: config.embedding,
    qdrant: config.qdrant,
    logger,
    resources,
  });
  await vectors.ping();
  return {
    journal: createPostgresJournal({ postgres }),
    graph: createNeo4jGraphReader({ neo4j }),
    scan: createNeo4jGraphScan({ neo4j }),
    points: vectors,
    deadLetters: createPostgresDeadLetters({ postgres }),
    outbox: createPostgresOutboxReader({ postgres }),
    model: embedder.model,
    excludedTypes: config.query.recall.excludedTypes,
  };
};
