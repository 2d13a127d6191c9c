/**
 * An empty deployment for one distributed service on the real servers of the run: created, migrated and removed
 * afterwards.
 */
import neo4j from 'neo4j-driver';
import pg from 'pg';
import { createKafkaClient } from '../../../shared/engines/kafka/kafka-client.js';
import { kafkaConfig } from '../../../shared/engines/kafka/kafka-variables.js';
import { qdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { removeKafkaNames } from '../servers/kafka.js';
import { dropCollections } from '../servers/qdrant.js';
import { neo4jCredentials, serverAddress } from '../servers/servers.js';
import { createTestDeployment, migrate, type TestDeployment } from './fleet.js';

export async function openTestDeployment({
  postgresUrl = serverAddress('postgres'),
  neo4jUrl,
}: {
  /** Another Postgres than that of the run. */
  readonly postgresUrl?: string;
  /** The address for the service. The wiped graph is that of the run. */
  readonly neo4jUrl?: string;
} = {}): Promise<{
  readonly deployment: TestDeployment;
  readonly remove: () => Promise<void>;
}> {
  const created = await createTestDeployment({
    createDatabase: (name) => createDatabase(postgresUrl, name),
    wipeGraph,
  });
  const variables = { ...created.variables, ...(neo4jUrl !== undefined && { NEO4J_URL: neo4jUrl }) };
  const deployment = { ...created, variables };
  await migrate(deployment);
  return {
    deployment,
    remove: async () => {
      await administer(postgresUrl, `DROP DATABASE ${deployment.database} WITH (FORCE)`);
      await dropCollections(qdrantConfig(deployment.variables));
      await removeTopics(deployment);
      await deployment.folder.remove();
    },
  };
}

async function removeTopics({ variables, topicPrefix }: TestDeployment): Promise<void> {
  const admin = createKafkaClient({ config: kafkaConfig(variables), logger: silentLogger }).admin();
  await admin.connect();
  try {
    await removeKafkaNames(admin, topicPrefix);
  } finally {
    await admin.disconnect();
  }
}

async function createDatabase(server: string, name: string): Promise<string> {
  await administer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function wipeGraph(): Promise<void> {
  const { user, password } = neo4jCredentials();
  const driver = neo4j.driver(serverAddress('neo4j'), neo4j.auth.basic(user, password));
  const session = driver.session();
  try {
    await session.run('MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS');
  } finally {
    await session.close();
    await driver.close();
  }
}
