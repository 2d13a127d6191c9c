/** Looks for words in everything that a service owns: tables, nodes, relationships, points, topics and files. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import neo4j from 'neo4j-driver';
import pg from 'pg';
import { activityTopic } from '../../../shared/engines/kafka/topics.js';
import { createQdrantClient } from '../../../shared/engines/qdrant/qdrant-client.js';
import { compactDataFile, DATA_FILE } from '../../../shared/engines/sqlite/open.js';
import { openDatabase } from '../../../shared/engines/sqlite/threads/open-database.js';
import type { ServerStores } from '../processes/service-on-servers.js';
import { readTopic } from '../servers/read-topic.js';
import { neo4jCredentials, serverAddress } from '../servers/servers.js';

/** `name`: where the text was read, for example `table journal`. */
export type Place = { readonly name: string; readonly text: string };

/** One line for each word and the places that have it, ignoring case. `words`: by what they mark. */
export function findWords(places: readonly Place[], words: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(words).flatMap(([mark, word]) => {
    const found = places.filter(({ text }) => text.toLowerCase().includes(word.toLowerCase()));
    return found.length === 0 ? [] : [`${mark}: ${[...new Set(found.map(({ name }) => name))].sort().join(', ')}`];
  });
}

/**
 * All tables and files of a stopped service. Decision 9 leaves out the write-ahead log, which a stopped service lacks,
 * and the unused space of the data file, which is removed first. The files are listed before this connection adds its
 * own, which the driver removes at any later time.
 */
export async function readDataFolder(folder: string): Promise<readonly Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  compactDataFile(folder);
  const database = openDatabase(join(folder, DATA_FILE), { busyTimeoutMs: 1_000 });
  const places: Place[] = [];
  try {
    for (const { name } of database.all("SELECT name FROM sqlite_master WHERE type = 'table'"))
      for (const row of database.all(`SELECT * FROM "${String(name)}"`))
        places.push(placeOf(`table ${String(name)}`, Object.values(row)));
  } finally {
    database.close();
  }
  for (const entry of entries)
    if (entry.isFile())
      places.push({ name: `file ${entry.name}`, text: await readFile(join(entry.parentPath, entry.name), 'latin1') });
  return places;
}

/** Decision 9 leaves out the topic of the events, which has them until their retention ends. */
export async function readServers(stores: ServerStores): Promise<readonly Place[]> {
  const [tables, graph, points, activity] = await Promise.all([
    readPostgres(stores.postgres.url),
    readNeo4j(),
    readQdrant(stores.qdrant),
    readTopic(activityTopic(stores.kafka), stores.kafka.brokers),
  ]);
  const messages = activity.map(({ value }) => ({ name: 'topic activity', text: value?.toString('utf8') ?? '' }));
  return [...tables, ...graph, ...points, ...messages];
}

async function readPostgres(connectionString: string): Promise<readonly Place[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    const places: Place[] = [];
    for (const { name } of tables.rows)
      for (const row of (await client.query<Record<string, unknown>>(`SELECT * FROM "${name}"`)).rows)
        places.push(placeOf(`table ${name}`, Object.values(row)));
    return places;
  } finally {
    await client.end();
  }
}

const EVERYTHING = `MATCH (n) RETURN 'node ' + labels(n)[-1] AS name, properties(n) AS found
  UNION ALL MATCH ()-[r]->() RETURN 'relationship ' + type(r) AS name, properties(r) AS found`;

async function readNeo4j(): Promise<readonly Place[]> {
  const { user, password } = neo4jCredentials();
  const driver = neo4j.driver(serverAddress('neo4j'), neo4j.auth.basic(user, password));
  try {
    const { records } = await driver.executeQuery(EVERYTHING);
    return records.map((record) => placeOf(String(record.get('name')), [record.get('found')]));
  } finally {
    await driver.close();
  }
}

async function readQdrant(config: ServerStores['qdrant']): Promise<readonly Place[]> {
  const client = createQdrantClient(config);
  const { collections } = await client.getCollections();
  const places: Place[] = [];
  for (const { name } of collections.filter((one) => one.name.startsWith(config.collection))) {
    // The test has fewer points than one page.
    const { points } = await client.scroll(name, { limit: 10_000, with_payload: true });
    places.push(...points.map((point) => placeOf('point', [point.payload])));
  }
  return places;
}

function placeOf(name: string, values: readonly unknown[]): Place {
  return { name, text: values.map(textOf).join('\n') };
}

function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
