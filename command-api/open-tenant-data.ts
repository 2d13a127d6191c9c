/**
 * The data of a tenant in the servers of the deployment: a database in Postgres, topics in Kafka, collections in Qdrant
 * and labels in Neo4j, all its own.
 */
import { setTimeout as pass } from 'node:timers/promises';
import { deleteTopics } from '../shared/engines/kafka/delete-topics.js';
import { kafkaConfig } from '../shared/engines/kafka/kafka-variables.js';
import { neo4jConfig } from '../shared/engines/neo4j/connection/neo4j-variables.js';
import { openNeo4jOnce } from '../shared/engines/neo4j/open.js';
import { createDatabase, dropDatabase } from '../shared/engines/postgres/connection/databases.js';
import { postgresConfig } from '../shared/engines/postgres/connection/postgres-variables.js';
import { dropQdrantCollections } from '../shared/engines/qdrant/drop-collections.js';
import { qdrantConfig } from '../shared/engines/qdrant/qdrant-variables.js';
import { createResources } from '../shared/kernel/concurrency/resources.js';
import type { Environment } from '../shared/kernel/config/config.js';
import type { Logger } from '../shared/kernel/logger.js';
import { tenantEnvironment } from '../shared/tenants/tenant-environment.js';
import { migrationSteps } from './open-migration-steps.js';
import type { TenantData } from './tenant-administration.js';

/** The other processes close a tenant within this time after its deletion began. */
const CLOSED_MS = 1_500;

/** `environment`: that of the process. */
export function tenantDataIn({
  environment,
  logger,
}: {
  readonly environment: Environment;
  readonly logger: Logger;
}): TenantData {
  const databaseOf = ({ POSTGRES_URL: url = '' }: Environment): string =>
    decodeURIComponent(new URL(url).pathname.slice(1));
  return {
    create: async ({ id }) => {
      const own = tenantEnvironment(environment, id);
      await createDatabase({ config: postgresConfig(environment), name: databaseOf(own), logger });
      for (const { run } of migrationSteps({ environment: own, logger })) await run();
    },
    remove: async ({ id }) => {
      const own = tenantEnvironment(environment, id);
      await pass(CLOSED_MS);
      await dropDatabase({ config: postgresConfig(environment), name: databaseOf(own), logger });
      await deleteTopics({ config: kafkaConfig(own), logger });
      await dropQdrantCollections(qdrantConfig(own));
      const resources = createResources();
      try {
        await (await openNeo4jOnce({ config: neo4jConfig(own), logger, resources })).drop();
      } finally {
        await resources.close();
      }
    },
  };
}
