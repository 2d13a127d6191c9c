/** Connects to the stores of the distributed composition, with the variables of the query API. */
import { queryConfig } from '../../../query-api/config.js';
import { neo4jConfig } from '../../../shared/engines/neo4j/connection/neo4j-variables.js';
import { openNeo4jOnce } from '../../../shared/engines/neo4j/open.js';
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { openPostgres } from '../../../shared/engines/postgres/open.js';
import { qdrantPorts } from '../../../shared/engines/qdrant/open.js';
import { qdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { readParts } from '../../../shared/kernel/config/read-parts.js';
import { startConfig } from '../../../shared/kernel/config/start-variables.js';
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
  const postgres = await openPostgres({ config: config.postgres, resources, startupRetry });
  const neo4j = await openNeo4jOnce({ config: config.neo4j, logger, resources });
  const space = await postgres.spaces.active();
  if (space === null)
    throw new ConfigurationError(['there is no vector index yet: start the projectors, which make it']);
  return {
    ...postgres,
    graph: neo4j.graph,
    scan: neo4j.graphScan,
    points: await qdrantPorts({ config: config.qdrant, logger }).openReader(space.number),
    model: space.model,
    excludedTypes: config.query.recall.excludedTypes,
  };
};
