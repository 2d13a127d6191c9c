/** An empty ground for one distributed service on the servers of this run: made, migrated, and removed afterwards. */
import neo4j from 'neo4j-driver';
import pg from 'pg';
import { silentLogger } from '../../shared/kernel/logger.js';
import { createKafka } from '../../shared/stream/kafka/create-kafka.js';
import { kafkaConfig } from '../../shared/stream/kafka/kafka-variables.js';
import { qdrantConfig } from '../../shared/vectors/qdrant/qdrant-variables.js';
import { layGround, migrate, type Ground } from './fleet.js';
import { removeKafkaNames } from './kafka.js';
import { dropCollections } from './qdrant.js';
import { neo4jCredentials, serverAddress } from './servers.js';

export async function openGround(): Promise<{ readonly ground: Ground; readonly remove: () => Promise<void> }> {
  const ground = await layGround({ createDatabase, wipeGraph });
  await migrate(ground);
  return {
    ground,
    remove: async () => {
      await dropDatabase(ground.database);
      await dropCollections(qdrantConfig(ground.variables));
      await removeTopics(ground);
      await ground.folder.remove();
    },
  };
}

async function removeTopics({ variables, topicPrefix }: Ground): Promise<void> {
  const admin = createKafka({ config: kafkaConfig(variables), logger: silentLogger }).admin();
  await admin.connect();
  try {
    await removeKafkaNames(admin, topicPrefix);
  } finally {
    await admin.disconnect();
  }
}

async function createDatabase(name: string): Promise<string> {
  await administer(`CREATE DATABASE ${name}`);
  const url = new URL(serverAddress('postgres'));
  url.pathname = `/${name}`;
  return url.href;
}

async function dropDatabase(name: string): Promise<void> {
  await administer(`DROP DATABASE ${name} WITH (FORCE)`);
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverAddress('postgres') });
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
