/** Measures a running service, next to the floors of its servers if the environment names them. */
import type { HttpCaller } from '../../support/clients/http-caller.js';
import type { Random } from '../../support/fixtures/random.js';
import { readTopic } from '../../support/servers/read-topic.js';
import { fill } from '../corpus/fill.js';
import { type Row, summarize } from '../measuring/timing.js';
import { countTransactions } from './count-transactions.js';
import { measureReads } from './reads.js';
import { measureServerFloors, type ServerAddresses, type ServerFloors } from './server-floors.js';
import { measureAssociations, measureStores, measureTimeToFound } from './writes.js';

export async function measureRunningService(
  target: HttpCaller,
  random: Random,
  amount: { readonly size: number; readonly encoded: number },
): Promise<Row[]> {
  const addresses = addressesIn(process.env);
  const filled = await fill(target, random, amount);
  const floors = addresses && (await measureServerFloors(addresses, random));
  const since = new Date();
  return [
    ...filled,
    ...(floors ? floorRows(floors) : []),
    ...(await measureReads(target, random)),
    ...(await measureStores(target, random, { clients: 1, count: 300 })),
    ...(await withTransactionCounts(addresses, 3_000, () =>
      measureStores(target, random, { clients: 16, count: 3_000 }),
    )),
    ...(await measureAssociations(target)),
    ...(await measureTimeToFound(target)),
    ...(addresses
      ? [
          await measureRelayLag({
            brokers: addresses.kafkaBrokers,
            topic: `${process.env['KAFKA_TOPIC_PREFIX'] ?? ''}memory.events`,
            since,
          }),
        ]
      : []),
  ];
}

/** Every process of the service also commits small transactions in the background, so the counts are upper bounds. */
async function withTransactionCounts(
  addresses: ServerAddresses | null,
  commands: number,
  work: () => Promise<Row[]>,
): Promise<Row[]> {
  if (addresses === null) return work();
  const before = await countTransactions(addresses);
  const rows = await work();
  const after = await countTransactions(addresses);
  const of = (name: 'postgres' | 'neo4j'): string =>
    `${after[name] - before[name]} in ${name === 'postgres' ? 'Postgres' : 'Neo4j'}`;
  return [
    ...rows,
    { what: `transactions for those ${commands} commands`, figure: `${of('postgres')}, ${of('neo4j')}` },
  ];
}

function addressesIn(environment: NodeJS.ProcessEnv): ServerAddresses | null {
  const { POSTGRES_URL, NEO4J_URL, NEO4J_USER, NEO4J_PASSWORD, KAFKA_BROKERS, QDRANT_URL, QDRANT_COLLECTION } =
    environment;
  if (!POSTGRES_URL || !NEO4J_URL || !KAFKA_BROKERS || !QDRANT_URL) return null;
  return {
    postgresUrl: POSTGRES_URL,
    neo4j: { url: NEO4J_URL, user: NEO4J_USER ?? 'neo4j', password: NEO4J_PASSWORD ?? '' },
    kafkaBrokers: KAFKA_BROKERS.split(','),
    qdrantUrl: QDRANT_URL,
    collection: QDRANT_COLLECTION ?? 'memories',
  };
}

function floorRows({ postgresInsertMs, neo4jWriteMs, qdrantQueryMs, kafkaSendMs }: ServerFloors): Row[] {
  const row = (what: string, ms: number): Row => ({ what: `floor: ${what}`, figure: `p50 ${ms.toFixed(2)} ms` });
  return [
    row('bare Postgres insert', postgresInsertMs),
    row('bare Neo4j UNWIND of one', neo4jWriteMs),
    row('bare Qdrant query, 20 with payload', qdrantQueryMs),
    row('bare Kafka send, acks=all', kafkaSendMs),
  ];
}

/**
 * Measures the time from the decision of an event to its message in Kafka, for events since `since`. The lag covers commit, graph and relay, so
 * the relay's own lag is smaller.
 */
async function measureRelayLag({
  brokers,
  topic,
  since,
}: {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly since: Date;
}): Promise<Row> {
  const lags = (await readTopic(topic, brokers)).flatMap(({ value, sentAtMs }) => {
    const decidedAtMs = Date.parse((JSON.parse(value?.toString('utf8') ?? '{}') as { time: string }).time);
    return decidedAtMs >= since.getTime() ? [sentAtMs - decidedAtMs] : [];
  });
  const { p50, p95, count } = summarize(lags, 1);
  return {
    what: `decision to Kafka (commit, graph and relay), ${count} events`,
    figure: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
  };
}
