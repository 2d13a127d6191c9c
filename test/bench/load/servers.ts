/**
 * Measures the servers of the distributed composition: the time of each one alone, through its client, and the lag of
 * the relay.
 */
import { randomUUID } from 'node:crypto';
import { QdrantClient } from '@qdrant/js-client-rest';
import { Kafka, Partitioners } from 'kafkajs';
import neo4j from 'neo4j-driver';
import pg from 'pg';
import { BUNDLED_DIMENSION } from '../../../shared/engines/models/bundled/bundled-embedder.js';
import type { Random } from '../../support/fixtures/random.js';
import { readTopic } from '../../support/servers/read-topic.js';
import { delayRow, type Row, timeCalls, timingRow } from '../measuring/timing.js';

export type Servers = {
  readonly postgresUrl: string;
  readonly neo4j: { readonly url: string; readonly user: string; readonly password: string };
  readonly kafkaBrokers: readonly string[];
  readonly topic: string;
  readonly qdrantUrl: string;
  readonly collection: string;
};

/** Null unless the environment names all servers. */
export function serversIn(environment: NodeJS.ProcessEnv): Servers | null {
  const { POSTGRES_URL, NEO4J_URL, NEO4J_USER, NEO4J_PASSWORD, KAFKA_BROKERS, QDRANT_URL, QDRANT_COLLECTION } =
    environment;
  if (!POSTGRES_URL || !NEO4J_URL || !KAFKA_BROKERS || !QDRANT_URL) return null;
  return {
    postgresUrl: POSTGRES_URL,
    neo4j: { url: NEO4J_URL, user: NEO4J_USER ?? 'neo4j', password: NEO4J_PASSWORD ?? '' },
    kafkaBrokers: KAFKA_BROKERS.split(','),
    topic: `${environment['KAFKA_TOPIC_PREFIX'] ?? ''}memory.events`,
    qdrantUrl: QDRANT_URL,
    collection: QDRANT_COLLECTION ?? 'memories',
  };
}

const WARM_UP_CALLS = 50;
const CALLS = 300;
const TEXT = 'x'.repeat(600);

export async function measureServerFloors(servers: Servers, random: Random): Promise<readonly Row[]> {
  return [
    await postgresInsert(servers.postgresUrl),
    await neo4jWrite(servers.neo4j),
    await qdrantQuery(servers, random),
    await kafkaSend(servers.kafkaBrokers),
  ];
}

async function floorOf(what: string, call: () => Promise<unknown>): Promise<Row> {
  await timeCalls(WARM_UP_CALLS, 1, call);
  return timingRow(`floor: ${what}`, await timeCalls(CALLS, 1, call));
}

/**
 * The time from the decision of an event to its message in Kafka, with commit, graph and relay, of all events since
 * `since`.
 */
export async function measureRelayLag({ topic, kafkaBrokers }: Servers, since: Date): Promise<Row> {
  const lags = (await readTopic(topic, kafkaBrokers)).flatMap(({ value, sentAtMs }) => {
    const decidedAtMs = Date.parse((JSON.parse(value?.toString('utf8') ?? '{}') as { time: string }).time);
    return decidedAtMs >= since.getTime() ? [sentAtMs - decidedAtMs] : [];
  });
  return delayRow('decision to Kafka (commit, graph and relay)', lags);
}

async function postgresInsert(connectionString: string): Promise<Row> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(
      'CREATE TABLE IF NOT EXISTS bench_floor (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text NOT NULL)',
    );
    const insert = { name: 'floor', text: 'INSERT INTO bench_floor (body) VALUES ($1)', values: [TEXT] };
    const row = await floorOf('bare Postgres insert of 600 bytes', () => client.query(insert));
    await client.query('DROP TABLE bench_floor');
    return row;
  } finally {
    await client.end();
  }
}

async function neo4jWrite({ url, user, password }: Servers['neo4j']): Promise<Row> {
  const driver = neo4j.driver(url, neo4j.auth.basic(user, password), { disableLosslessIntegers: true });
  const session = driver.session();
  const merge = 'UNWIND $rows AS row MERGE (n:BenchFloor {id: row.id}) SET n.body = row.body';
  const write = (): Promise<unknown> =>
    session.executeWrite((transaction) => transaction.run(merge, { rows: [{ id: randomUUID(), body: TEXT }] }));
  try {
    await session.run('CREATE CONSTRAINT bench_floor IF NOT EXISTS FOR (n:BenchFloor) REQUIRE n.id IS UNIQUE');
    const row = await floorOf('bare Neo4j UNWIND of one', write);
    await session.run('MATCH (n:BenchFloor) DELETE n');
    await session.run('DROP CONSTRAINT bench_floor');
    return row;
  } finally {
    await session.close();
    await driver.close();
  }
}

async function qdrantQuery({ qdrantUrl, collection }: Servers, random: Random): Promise<Row> {
  const client = new QdrantClient({
    url: qdrantUrl,
    checkCompatibility: false,
    headers: { 'accept-encoding': 'identity' },
  });
  const { config } = await client.getCollection(collection);
  const vectors = config.params.vectors;
  const size = vectors && typeof vectors['size'] === 'number' ? vectors['size'] : BUNDLED_DIMENSION;
  const query = (): Promise<unknown> =>
    client.query(collection, {
      query: Array.from({ length: size }, () => random.next() - 0.5),
      limit: 20,
      with_payload: true,
    });
  return floorOf('bare Qdrant query, 20 with payload, no filter', query);
}

async function kafkaSend(brokers: readonly string[]): Promise<Row> {
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
    return await floorOf('bare Kafka send of 600 bytes, acks=all', send);
  } finally {
    await producer.disconnect();
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
  }
}
