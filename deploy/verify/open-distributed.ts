/** Connects to the stores of the distributed composition, with the variables of the query API. */
import { queryConfig } from '../../query-api/config.js';
import { connectNeo4j } from '../../shared/graph/neo4j/connection/connect-neo4j.js';
import { neo4jConfig } from '../../shared/graph/neo4j/connection/neo4j-variables.js';
import { createNeo4jGraphReader } from '../../shared/graph/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphScan } from '../../shared/graph/neo4j/neo4j-graph-scan.js';
import { journalMigrations } from '../../shared/journal/postgres/migrations.js';
import { createPostgresDeadLetters } from '../../shared/journal/postgres/postgres-dead-letters.js';
import { createPostgresJournal } from '../../shared/journal/postgres/postgres-journal.js';
import { createPostgresOutboxReader } from '../../shared/journal/postgres/postgres-outbox-reader.js';
import { ConfigurationError } from '../../shared/kernel/config/config.js';
import { readParts } from '../../shared/kernel/config/read-parts.js';
import { startConfig } from '../../shared/kernel/config/start-variables.js';
import { openPostgres } from '../../shared/postgres/open-postgres.js';
import { postgresConfig } from '../../shared/postgres/postgres-variables.js';
import { openQdrantVectorReader } from '../../shared/vectors/qdrant/open-qdrant-vector-reader.js';
import { qdrantConfig } from '../../shared/vectors/qdrant/qdrant-variables.js';
import { spaceMigrations } from '../../shared/vectors/spaces/postgres/migrations.js';
import { createPostgresVectorSpaces } from '../../shared/vectors/spaces/postgres/postgres-vector-spaces.js';
import type { OpenStores } from './open-stores.js';

export const openDistributed: OpenStores = async ({ environment, logger, resources, signal }) => {
  const config = readParts({
    start: () => startConfig(environment),
    postgres: () => postgresConfig(environment),
    neo4j: () => neo4jConfig(environment),
    qdrant: () => qdrantConfig(environment),
    query: () => queryConfig(environment),
  });
  const startupRetry = { logger, signal, timeoutMs: config.start.timeoutMs };
  const postgres = await openPostgres({
    config: config.postgres,
    rooms: [journalMigrations, spaceMigrations],
    resources,
    startupRetry,
  });
  const connected = await connectNeo4j({ config: config.neo4j, logger });
  const neo4j = resources.add(connected, (opened) => opened.close());
  const space = await createPostgresVectorSpaces({ postgres }).active();
  if (space === null)
    throw new ConfigurationError(['there is no vector index yet: start the projectors, which make it']);
  const points = await openQdrantVectorReader({ config: config.qdrant, number: space.number });
  return {
    journal: createPostgresJournal({ postgres }),
    graph: createNeo4jGraphReader({ neo4j }),
    scan: createNeo4jGraphScan({ neo4j }),
    points,
    deadLetters: createPostgresDeadLetters({ postgres }),
    outbox: createPostgresOutboxReader({ postgres }),
    model: space.model,
    excludedTypes: config.query.recall.excludedTypes,
  };
};
