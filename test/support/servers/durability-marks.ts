/**
 * Writes and reads one mark in each real server, through its usual client, to show whether its data survives a restart.
 */
import { QdrantClient } from '@qdrant/js-client-rest';
import { Kafka, logLevel } from 'kafkajs';
import neo4j from 'neo4j-driver';
import { Client } from 'pg';
import { neo4jCredentials, serverAddress, type ServerName } from './servers.js';

export type DurabilityMark = {
  readonly write: () => Promise<void>;
  /** Resolves with whether the mark exists. */
  readonly read: () => Promise<boolean>;
  readonly remove: () => Promise<void>;
};

const NAME = 'palimpsest_durability_mark';

export const DURABILITY_MARKS: Readonly<Record<ServerName, DurabilityMark>> = {
  postgres: {
    write: async () => void (await sql(`CREATE TABLE ${NAME} AS SELECT 1 AS value`)),
    read: async () => (await sql(`SELECT value FROM ${NAME}`)) === 1,
    remove: async () => void (await sql(`DROP TABLE IF EXISTS ${NAME}`)),
  },
  neo4j: {
    write: async () => void (await cypher(`CREATE (:${NAME})`)),
    read: async () => (await cypher(`MATCH (n:${NAME}) RETURN n`)) === 1,
    remove: async () => void (await cypher(`MATCH (n:${NAME}) DELETE n`)),
  },
  kafka: {
    write: () =>
      withKafka(
        async (admin) =>
          void (await admin.createTopics({ topics: [{ topic: NAME, numPartitions: 1 }], waitForLeaders: true })),
      ),
    read: () => withKafka(async (admin) => (await admin.listTopics()).includes(NAME)),
    remove: () =>
      withKafka(async (admin) => {
        if ((await admin.listTopics()).includes(NAME)) await admin.deleteTopics({ topics: [NAME] });
      }),
  },
  qdrant: {
    write: async () => {
      await qdrant().createCollection(NAME, { vectors: { size: 2, distance: 'Cosine' } });
      await qdrant().upsert(NAME, { wait: true, points: [{ id: 1, vector: [1, 0] }] });
    },
    read: async () => (await qdrant().retrieve(NAME, { ids: [1] })).length === 1,
    remove: async () => void (await qdrant().deleteCollection(NAME)),
  },
};

async function sql(text: string): Promise<unknown> {
  const client = new Client({ connectionString: serverAddress('postgres') });
  await client.connect();
  try {
    return (await client.query<{ value?: unknown }>(text)).rows[0]?.value;
  } finally {
    await client.end();
  }
}

/** Resolves with the number of rows. */
async function cypher(text: string): Promise<number> {
  const { user, password } = neo4jCredentials();
  const driver = neo4j.driver(serverAddress('neo4j'), neo4j.auth.basic(user, password));
  try {
    return (await driver.executeQuery(text)).records.length;
  } finally {
    await driver.close();
  }
}

async function withKafka<T>(work: (admin: ReturnType<Kafka['admin']>) => Promise<T>): Promise<T> {
  const admin = new Kafka({ brokers: [serverAddress('kafka')], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

function qdrant(): QdrantClient {
  return new QdrantClient({ url: serverAddress('qdrant'), checkCompatibility: false });
}
