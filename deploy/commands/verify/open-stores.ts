/** Opens the stores of a composition for a comparison. */
import { queryConfig } from '../../../query-api/config.js';
import { neo4jConfig } from '../../../shared/engines/neo4j/connection/neo4j-variables.js';
import { openNeo4jOnce } from '../../../shared/engines/neo4j/open.js';
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { openPostgres } from '../../../shared/engines/postgres/open.js';
import { qdrantPorts } from '../../../shared/engines/qdrant/open.js';
import { qdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { openSqliteForReading } from '../../../shared/engines/sqlite/open.js';
import type { StoresToCompare } from '../../../shared/integrity/comparison/compare-stores.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { readParts } from '../../../shared/kernel/config/read-parts.js';
import { startConfig } from '../../../shared/kernel/config/start-variables.js';
import { embeddedConfig } from '../../embedded/config.js';
import { existingDataFile } from '../../embedded/existing-data-file.js';
import type { StoreContext } from '../host.js';

export type OpenStores = (context: StoreContext) => Promise<StoresToCompare>;

/** Opens the data file for reading, also while the service has it. */
export const openEmbedded: OpenStores = async ({ environment, resources }) => {
  const { query } = embeddedConfig(environment, process.cwd());
  const { file } = existingDataFile(environment);
  const sqlite = await openSqliteForReading(file, resources);
  const space = await sqlite.spaces.active();
  if (space === null) throw new ConfigurationError(['the data file has no vector index yet: start the service once']);
  return {
    ...sqlite,
    graph: sqlite.graphStates,
    scan: sqlite.graphScan,
    points: sqlite.pointReader(space.number),
    model: space.model,
    excludedTypes: query.recall.excludedTypes,
  };
};

/** Connects to the servers with the variables of the query API. */
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
