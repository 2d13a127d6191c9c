/**
 * Reads the servers of a settled distributed service directly, without our ports, and reports where they disagree:
 * journal, subjects, outbox, graph, vectors and Kafka.
 */
import { QdrantClient } from '@qdrant/js-client-rest';
import neo4j from 'neo4j-driver';
import pg from 'pg';
import type { TestDeployment } from '../processes/fleet.js';
import { readTopic } from '../servers/read-topic.js';
import { neo4jCredentials, serverAddress } from '../servers/servers.js';

export type ServerFindings = {
  readonly events: number;
  readonly memories: number;
  readonly associations: number;
  /** Kafka messages beyond one for each event. They were sent again, which is harmless. */
  readonly resent: number;
  /** Memories without a vector of their version. */
  readonly unindexed: number;
  /** One sentence for each disagreement. */
  readonly disagreements: readonly string[];
};

type JournalRow = {
  readonly position: number;
  readonly id: string;
  readonly subject: string;
  readonly version: number;
  readonly key: string;
};
type SubjectRow = { readonly subject: string; readonly version: number; readonly present: boolean };

/** Queries that must return no rows, each with the meaning of a returned row. */
const MUST_BE_EMPTY: readonly { readonly meaning: string; readonly sql: string }[] = [
  {
    meaning: 'the versions of a subject have a gap',
    sql: 'SELECT subject FROM journal GROUP BY subject HAVING count(*) <> max(version) OR min(version) <> 1',
  },
  {
    meaning: 'positions and versions of a subject disagree in order',
    sql: 'SELECT one.subject FROM journal one JOIN journal other ON one.subject = other.subject AND one.version < other.version AND one.position > other.position',
  },
  {
    meaning: 'a subject is not at its last journalled version',
    sql: 'SELECT s.subject FROM subjects s WHERE s.version <> (SELECT coalesce(max(version), 0) FROM journal j WHERE j.subject = s.subject)',
  },
  {
    meaning: 'an event was journalled twice',
    sql: 'SELECT event_id FROM journal GROUP BY event_id HAVING count(*) > 1',
  },
  { meaning: 'an event is still in the outbox', sql: 'SELECT position FROM outbox' },
  {
    meaning: 'the journal still has the text of a deleted memory',
    sql: `SELECT j.subject FROM journal j JOIN subjects s ON s.subject = j.subject
          WHERE NOT s.present AND position('|' IN s.subject) = 0 AND j.data IS NOT NULL AND j.type <> 'memory.deleted'`,
  },
  { meaning: 'dead letters remain', sql: 'SELECT event_id FROM dead_letters' },
];

const EXAMPLES = 3;

/** `isTopicWhole`: whether Kafka must hold each event. False after the topic was deleted and created again. */
export async function examineServers(
  deployment: TestDeployment,
  { isTopicWhole }: { readonly isTopicWhole: boolean },
): Promise<ServerFindings> {
  const disagreements: string[] = [];
  const note = (meaning: string, found: readonly unknown[]): void => {
    if (found.length > 0)
      disagreements.push(`${meaning}: ${found.length}, for example ${found.slice(0, EXAMPLES).join(', ')}`);
  };
  const { journal, subjects } = await readPostgres(deployment.postgresUrl, note);
  const graph = await readGraph();
  const points = await readPoints(deployment.collection);
  const messages = await readTopic(`${deployment.topicPrefix}memory.events`, serverAddress('kafka').split(','));
  const published = messages.map(({ value }) => (JSON.parse(value?.toString('utf8') ?? '{}') as { id: string }).id);

  const present = subjects.filter((row) => row.present && !row.subject.includes('|'));
  note(
    'the graph lacks a memory or has another version of it',
    present.filter(({ subject, version }) => graph.memories.get(subject) !== version).map(({ subject }) => subject),
  );
  note(
    'the graph has a memory that does not exist',
    [...graph.memories.keys()].filter((id) => !present.some(({ subject }) => subject === id)),
  );
  const unindexed = present.filter(({ subject, version }) => points.get(subject) !== version);
  note(
    'a memory has no vector of its version',
    unindexed.map(({ subject }) => subject),
  );
  note(
    'a vector without a memory',
    [...points.keys()].filter((id) => !present.some(({ subject }) => subject === id)),
  );
  const associations = subjects.filter((row) => row.present && row.subject.includes('|'));
  note(
    'the graph lacks an association',
    associations.filter(({ subject }) => !graph.associations.has(subject)).map(({ subject }) => subject),
  );
  note(
    'the graph has an association that does not exist',
    [...graph.associations].filter((subject) => !associations.some((row) => row.subject === subject)),
  );
  const resent = compareWithTopic({ journal, published, isTopicWhole }, note);
  return {
    events: journal.length,
    memories: present.length,
    associations: associations.length,
    unindexed: unindexed.length,
    resent,
    disagreements,
  };
}

async function readPostgres(
  connectionString: string,
  note: (meaning: string, found: readonly unknown[]) => void,
): Promise<{ journal: readonly JournalRow[]; subjects: readonly SubjectRow[] }> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    for (const { meaning, sql } of MUST_BE_EMPTY)
      note(
        meaning,
        (await client.query({ text: sql, rowMode: 'array' })).rows.map((row: unknown[]) => row[0]),
      );
    const journal = await client.query<JournalRow>(
      'SELECT position::int, event_id AS id, subject, version, partition_key AS key FROM journal ORDER BY position',
    );
    const subjects = await client.query<SubjectRow>(
      "SELECT subject, version, present FROM subjects WHERE subject NOT IN (SELECT subject FROM journal WHERE type LIKE 'key.%')",
    );
    return { journal: journal.rows, subjects: subjects.rows };
  } finally {
    await client.end();
  }
}

async function readGraph(): Promise<{
  readonly memories: ReadonlyMap<string, number>;
  readonly associations: ReadonlySet<string>;
}> {
  const { user, password } = neo4jCredentials();
  const driver = neo4j.driver(serverAddress('neo4j'), neo4j.auth.basic(user, password), {
    disableLosslessIntegers: true,
  });
  try {
    const memories = await driver.executeQuery('MATCH (m:Memory) RETURN m.id AS id, m.version AS version');
    // Derived associations have no events.
    const associations = await driver.executeQuery(
      'MATCH (a:Memory)-[r]->(b:Memory) WHERE a <> b AND r.derived IS NULL RETURN a.id + "|" + type(r) + "|" + b.id AS subject',
    );
    return {
      memories: new Map(
        memories.records.map((record) => [record.get('id') as string, record.get('version') as number]),
      ),
      associations: new Set(associations.records.map((record) => record.get('subject') as string)),
    };
  } finally {
    await driver.close();
  }
}

/** The version of each point except tombstones. */
async function readPoints(collection: string): Promise<ReadonlyMap<string, number>> {
  const client = new QdrantClient({
    url: serverAddress('qdrant'),
    checkCompatibility: false,
    headers: { 'accept-encoding': 'identity' },
  });
  const versions = new Map<string, number>();
  let offset: string | number | undefined;
  do {
    const page = await client.scroll(collection, {
      limit: 1_000,
      with_payload: true,
      ...(offset === undefined ? {} : { offset }),
    });
    for (const { id, payload } of page.points)
      if (payload?.['removed'] !== true) versions.set(String(id), Number(payload?.['version']));
    offset =
      typeof page.next_page_offset === 'string' || typeof page.next_page_offset === 'number'
        ? page.next_page_offset
        : undefined;
  } while (offset !== undefined);
  return versions;
}

/**
 * Checks that the topic holds exactly the events, and that the first message of each event is in position order per
 * key. Returns the number of repeated messages.
 */
function compareWithTopic(
  {
    journal,
    published,
    isTopicWhole,
  }: {
    readonly journal: readonly JournalRow[];
    /** Event ids in the order of the topic. */
    readonly published: readonly string[];
    readonly isTopicWhole: boolean;
  },
  note: (meaning: string, found: readonly unknown[]) => void,
): number {
  const known = new Map(journal.map((row) => [row.id, row]));
  const seen = new Set<string>();
  const lastOfKey = new Map<string, number>();
  const outOfOrder: string[] = [];
  for (const id of published) {
    const row = known.get(id);
    if (!row || seen.has(id)) continue;
    seen.add(id);
    if (row.position < (lastOfKey.get(row.key) ?? 0)) outOfOrder.push(id);
    lastOfKey.set(row.key, row.position);
  }
  if (isTopicWhole)
    note(
      'an event is not in Kafka',
      journal.filter(({ id }) => !seen.has(id)).map(({ id }) => id),
    );
  note(
    'Kafka has an event that is not in the journal',
    published.filter((id) => !known.has(id)),
  );
  note('the first messages of a key are out of order in Kafka', outOfOrder);
  return published.length - seen.size;
}
