/** Measures the floors of the distributed composition: the time of each server alone, through its client, in the same run. */
import { randomUUID } from 'node:crypto';
import { QdrantClient } from '@qdrant/js-client-rest';
import { Kafka, Partitioners } from 'kafkajs';
import neo4j from 'neo4j-driver';
import pg from 'pg';
import type { Random } from '../../support/fixtures/random.js';
import { timeCalls } from '../measuring/timing.js';

/** Medians in milliseconds. */
export type ServerFloors = {
  /** One durable insert of a row of 600 bytes. */
  readonly postgresInsertMs: number;
  /** One node merged by an UNWIND of one. */
  readonly neo4jWriteMs: number;
  /** The 20 nearest with payload, no filter. */
  readonly qdrantQueryMs: number;
  /** One message of 600 bytes sent with acks=all. */
  readonly kafkaSendMs: number;
};

export type ServerAddresses = {
  readonly postgresUrl: string;
  readonly neo4j: { readonly url: string; readonly user: string; readonly password: string };
  readonly kafkaBrokers: readonly string[];
  readonly qdrantUrl: string;
  readonly collection: string;
};

const CALLS = 300;
const TEXT = 'x'.repeat(600);

export async function measureServerFloors(addresses: ServerAddresses, random: Random): Promise<ServerFloors> {
  return {
    postgresInsertMs: await postgresInsert(addresses.postgresUrl),
    neo4jWriteMs: await neo4jWrite(addresses.neo4j),
    qdrantQueryMs: await qdrantQuery(addresses, random),
    kafkaSendMs: await kafkaSend(addresses.kafkaBrokers),
  };
}

async function postgresInsert(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(
      'CREATE TABLE IF NOT EXISTS bench_floor (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text NOT NULL)',
    );
    const insert = { name: 'floor', text: 'INSERT INTO bench_floor (body) VALUES ($1)', values: [TEXT] };
    await timeCalls(50, 1, () => client.query(insert));
    const timing = await timeCalls(CALLS, 1, () => client.query(insert));
    await client.query('DROP TABLE bench_floor');
    return timing.p50;
  } finally {
    await client.end();
  }
}

async function neo4jWrite({ url, user, password }: ServerAddresses['neo4j']): Promise<number> {
  const driver = neo4j.driver(url, neo4j.auth.basic(user, password), { disableLosslessIntegers: true });
  const session = driver.session();
  const merge = 'UNWIND $rows AS row MERGE (n:BenchFloor {id: row.id}) SET n.body = row.body';
  const write = (): Promise<unknown> =>
    session.executeWrite((transaction) => transaction.run(merge, { rows: [{ id: randomUUID(), body: TEXT }] }));
  try {
    await session.run('CREATE CONSTRAINT bench_floor IF NOT EXISTS FOR (n:BenchFloor) REQUIRE n.id IS UNIQUE');
    await timeCalls(50, 1, write);
    const timing = await timeCalls(CALLS, 1, write);
    await session.run('MATCH (n:BenchFloor) DELETE n');
    await session.run('DROP CONSTRAINT bench_floor');
    return timing.p50;
  } finally {
    await session.close();
    await driver.close();
  }
}

async function qdrantQuery({ qdrantUrl, collection }: ServerAddresses, random: Random): Promise<number> {
  const client = new QdrantClient({
    url: qdrantUrl,
    checkCompatibility: false,
    headers: { 'accept-encoding': 'identity' },
  });
  const { config } = await client.getCollection(collection);
  const vectors = config.params.vectors;
  const size = vectors && typeof vectors['size'] === 'number' ? vectors['size'] : 512;
  const query = (): Promise<unknown> =>
    client.query(collection, {
      query: Array.from({ length: size }, () => random.next() - 0.5),
      limit: 20,
      with_payload: true,
    });
  await timeCalls(20, 1, query);
  return (await timeCalls(CALLS, 1, query)).p50;
}

async function kafkaSend(brokers: readonly string[]): Promise<number> {
  const kafka = new Kafka({ clientId: 'bench-floor', brokers: [...brokers], logLevel: 0 });
  const admin = kafka.admin();
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    createPartitioner: Partitioners.DefaultPartitioner,
  });
  const topic = `bench-floor-${Date.now()}`;
  try {
    await admin.connect();
    await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true });
    await producer.connect();
    const send = (): Promise<unknown> => producer.send({ topic, acks: -1, messages: [{ key: 'k', value: TEXT }] });
    await timeCalls(50, 1, send);
    return (await timeCalls(CALLS, 1, send)).p50;
  } finally {
    await producer.disconnect();
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
  }
}
