/**
 * Opens the empty servers of a stopped distributed deployment for a restore. `npm run migrate` must have prepared
 * them.
 */
import { neo4jConfig } from '../../../shared/engines/neo4j/connection/neo4j-variables.js';
import { openNeo4jOnce } from '../../../shared/engines/neo4j/open.js';
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { connectPostgres } from '../../../shared/engines/postgres/open.js';
import { qdrantPorts } from '../../../shared/engines/qdrant/open.js';
import { qdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import type { Resources } from '../../../shared/kernel/concurrency/resources.js';
import type { Environment } from '../../../shared/kernel/config/config.js';
import { readParts } from '../../../shared/kernel/config/read-parts.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { RestoreTarget } from './restore-archive.js';

export async function openDistributedTarget({
  environment,
  logger,
  resources,
}: {
  readonly environment: Environment;
  readonly logger: Logger;
  readonly resources: Resources;
}): Promise<RestoreTarget> {
  const config = readParts({
    postgres: () => postgresConfig(environment),
    neo4j: () => neo4jConfig(environment),
    qdrant: () => qdrantConfig(environment),
  });
  const postgres = connectPostgres({ config: config.postgres, logger, resources });
  await postgres.requireSchema();
  const space = await postgres.spaces.active();
  const { graphMark, graphWriter, ensureSchema } = await openNeo4jOnce({ config: config.neo4j, logger, resources });
  return {
    ...postgres,
    graph: { ...graphMark, apply: graphWriter.apply, prepare: ensureSchema },
    index: qdrantPorts({ config: config.qdrant, logger }).mark(space?.number ?? 1),
  };
}
