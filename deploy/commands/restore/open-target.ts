/** Opens the empty stores of a stopped deployment for a restore. */
import { neo4jConfig } from '../../../shared/engines/neo4j/connection/neo4j-variables.js';
import { openNeo4jOnce } from '../../../shared/engines/neo4j/open.js';
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { connectPostgres } from '../../../shared/engines/postgres/open.js';
import { qdrantPorts } from '../../../shared/engines/qdrant/open.js';
import { qdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { openSqlite } from '../../../shared/engines/sqlite/open.js';
import { readParts } from '../../../shared/kernel/config/read-parts.js';
import { embeddedConfig } from '../../embedded/config.js';
import type { StoreContext } from '../host.js';
import type { RestoreTarget } from './restore-archive.js';

type OpenTarget = (context: Omit<StoreContext, 'signal'>) => Promise<RestoreTarget>;

export const openEmbeddedTarget: OpenTarget = async ({ environment, logger, resources }) => {
  const { dataFolder } = embeddedConfig(environment, process.cwd());
  const sqlite = await openSqlite({ dataFolder, logger, resources });
  const { apply } = sqlite.graphWriter;
  return {
    ...sqlite,
    graph: { ...sqlite.graphMark, apply, prepare: () => Promise.resolve() /* the migrations are done */ },
    index: sqlite.indexMark,
  };
};

/** `palimpsest migrate` must have prepared the servers. */
export const openDistributedTarget: OpenTarget = async ({ environment, logger, resources }) => {
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
    graph: { ...graphMark, apply: graphWriter.applyReplayed, prepare: ensureSchema },
    index: qdrantPorts({ config: config.qdrant, logger }).mark(space?.number ?? 1),
  };
};
