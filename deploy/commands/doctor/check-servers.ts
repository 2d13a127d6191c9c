/** Checks of the servers of the distributed composition: reachable, new enough, and migrated. */
import { createKafkaAdmin } from '../../../shared/engines/kafka/kafka-admin.js';
import { createKafkaClient } from '../../../shared/engines/kafka/kafka-client.js';
import { kafkaConfig } from '../../../shared/engines/kafka/kafka-variables.js';
import { eventTopic } from '../../../shared/engines/kafka/topics.js';
import { connectNeo4j } from '../../../shared/engines/neo4j/connection/connect-neo4j.js';
import { neo4jConfig } from '../../../shared/engines/neo4j/connection/neo4j-variables.js';
import { neo4jAddress } from '../../../shared/engines/neo4j/open.js';
import { requireNeo4jSchema } from '../../../shared/engines/neo4j/schema/schema.js';
import { requireSchema } from '../../../shared/engines/postgres/connection/migrate-postgres.js';
import { createPostgres } from '../../../shared/engines/postgres/connection/postgres-pool.js';
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { postgresAddress } from '../../../shared/engines/postgres/open.js';
import { POSTGRES_SCHEMA } from '../../../shared/engines/postgres/schema/schema.js';
import { qdrantAddress } from '../../../shared/engines/qdrant/open.js';
import { createQdrantClient } from '../../../shared/engines/qdrant/qdrant-client.js';
import { qdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { ConfigurationError, type Environment } from '../../../shared/kernel/config/config.js';
import { messageOf } from '../../../shared/kernel/errors.js';
import { silentLogger as logger } from '../../../shared/kernel/logger.js';
import { palimpsestCommand } from '../../../shared/kernel/palimpsest-command.js';
import { type Found, ok, problem, problemsFrom } from './found.js';

export async function checkPostgres(environment: Environment): Promise<Found | readonly Found[]> {
  const config = postgresConfig(environment);
  const address = postgresAddress(config);
  return unlessUnreachable(address, 'POSTGRES_URL', async () => {
    const postgres = createPostgres({ config: { ...config, poolSize: 1 }, logger });
    try {
      const { rows } = await postgres.query<{ server_version: string }>('SHOW server_version');
      await requireSchema(postgres, POSTGRES_SCHEMA);
      return ok(`${address} is version ${rows[0]?.server_version}, and its tables are up to date`);
    } finally {
      await postgres.close();
    }
  });
}

export async function checkNeo4j(environment: Environment): Promise<Found | readonly Found[]> {
  const config = neo4jConfig(environment);
  return unlessUnreachable(neo4jAddress(config), 'NEO4J_URL', async () => {
    const neo4j = await connectNeo4j({ config, logger });
    try {
      const version = await neo4j.serverVersion();
      await requireNeo4jSchema(neo4j);
      return ok(`${neo4jAddress(config)} is version ${version}, and its schema is up to date`);
    } finally {
      await neo4j.close();
    }
  });
}

/** Kafka does not say its version. */
export async function checkKafka(environment: Environment): Promise<Found | readonly Found[]> {
  const config = kafkaConfig(environment);
  const address = `Kafka at ${config.brokers.join(', ')}`;
  return unlessUnreachable(address, 'KAFKA_BROKERS', async () => {
    const admin = createKafkaAdmin(createKafkaClient({ config, logger }));
    try {
      const topics = await admin.call('list its topics', (connected) => connected.listTopics());
      const topic = eventTopic(config);
      return topics.includes(topic)
        ? ok(`${address} has the topic ${topic}`)
        : problem(`${address} has no topic ${topic}`, `run ${palimpsestCommand('migrate')}`);
    } finally {
      await admin.close();
    }
  });
}

export async function checkQdrant(environment: Environment): Promise<Found | readonly Found[]> {
  const config = qdrantConfig(environment);
  const address = qdrantAddress(config);
  return unlessUnreachable(address, 'QDRANT_URL', async () => {
    const client = createQdrantClient(config);
    const [{ version }, { aliases }] = await Promise.all([client.versionInfo(), client.getAliases()]);
    return aliases.some(({ alias_name: name }) => name === config.collection)
      ? ok(`${address} is version ${version}, and has the collection ${config.collection}`)
      : problem(
          `${address} is version ${version}, and has no collection ${config.collection} yet`,
          `run ${palimpsestCommand('migrate')}, and start the projectors`,
        );
  });
}

/** An error of the configuration says what to do. After any other one the server cannot be used at this address. */
async function unlessUnreachable(
  address: string,
  variable: string,
  check: () => Promise<Found>,
): Promise<Found | readonly Found[]> {
  const remedy = `start the server, and check ${variable} and its login`;
  try {
    return await check();
  } catch (error) {
    if (error instanceof ConfigurationError) return problemsFrom(error, remedy);
    return problem(`${address} cannot be used (${messageOf(error)})`, remedy);
  }
}
