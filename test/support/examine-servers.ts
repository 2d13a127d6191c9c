/**
 * Looks into the servers of a settled distributed service, past every port, and says where they disagree: journal, subjects, outbox,
 * graph, vectors and Kafka.
 */
import { QdrantClient } from '@qdrant/js-client-rest';
import neo4j from 'neo4j-driver';
import pg from 'pg';
import type { Ground } from './fleet.js';
import { readTopic } from './read-topic.js';
import { neo4jCredentials, serverAddress } from './servers.js';

export type ServerFindings = {
  readonly events: number;
  readonly memories: number;
  readonly associations: number;
  /** Messages in Kafka beyond one for each event: re-sent, and harmless. */
  readonly resent: number;
  /** Memories without a vector of their version. */
  readonly unindexed: number;
  /** Sentences; none when everything agrees. */
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

/** Each finds rows that must not be, and says what they would mean. */
const MUST_BE_EMPTY: readonly { readonly means: string; readonly sql: string }[] = [
  {
    means: 'versions of a subject have a hole',
    sql: 'SELECT subject FROM journal GROUP BY subject HAVING count(*) <> max(version) OR min(version) <> 1',
  },
  {
    means: 'positions and versions of a subject disagree in order',
    sql: 'SELECT one.subject FROM journal one JOIN journal other ON one.subject = other.subject AND one.version < other.version AND one.position > other.position',
  },
  {
    means: 'a subject is not at its last journalled version',
    sql: 'SELECT s.subject FROM subjects s WHERE s.version <> (SELECT coalesce(max(version), 0) FROM journal j WHERE j.subject = s.subject)',
  },
  { means: 'an event was journalled twice', sql: 'SELECT event_id FROM journal GROUP BY event_id HAVING count(*) > 1' },
  { means: 'an event never left the outbox', sql: 'SELECT position FROM outbox' },
  {
    means: 'a deleted memory has kept words in the journal',
    sql: `SELECT j.subject FROM journal j JOIN subjects s ON s.subject = j.subject
          WHERE NOT s.present AND position('|' IN s.subject) = 0 AND j.data IS NOT NULL AND j.type <> 'memory.deleted'`,
  },
  { means: 'dead letters are left', sql: 'SELECT event_id FROM dead_letters' },
];

const EXAMPLES = 3;

/** `isTopicWhole`: whether Kafka has to hold every event; not once the topic was deleted and made again. */
export async function examineServers(
  ground: Ground,
  { isTopicWhole }: { readonly isTopicWhole: boolean },
): Promise<ServerFindings> {
  const disagreements: string[] = [];
  const note = (means: string, found: readonly unknown[]): void => {
    if (found.length > 0)
      disagreements.push(`${means}: ${found.length}, such as ${found.slice(0, EXAMPLES).join(', ')}`);
  };
  const { journal, subjects } = await readPostgres(ground.postgresUrl, note);
  const graph = await readGraph();
  const points = await readPoints(ground.collection);
  const messages = await readTopic(`${ground.topicPrefix}memory.events`, serverAddress('kafka').split(','));
  const published = messages.map(({ value }) => (JSON.parse(value?.toString('utf8') ?? '{}') as { id: string }).id);

  const present = subjects.filter((row) => row.present && !row.subject.includes('|'));
  note(
    'the graph lacks a memory, or has it in another version',
    present.filter(({ subject, version }) => graph.memories.get(subject) !== version).map(({ subject }) => subject),
  );
  note(
    'the graph has a memory that is not there',
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
    'the graph has an association that is not there',
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
  note: (means: string, found: readonly unknown[]) => void,
): Promise<{ journal: readonly JournalRow[]; subjects: readonly SubjectRow[] }> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    for (const { means, sql } of MUST_BE_EMPTY)
      note(
        means,
        (await client.query({ text: sql, rowMode: 'array' })).rows.map((row: unknown[]) => row[0]),
      );
    const journal = await client.query<JournalRow>(
      'SELECT position::int, event_id AS id, subject, version, partition_key AS key FROM journal ORDER BY position',
    );
    const subjects = await client.query<SubjectRow>('SELECT subject, version, present FROM subjects');
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
    // Derived ones have no events of their own.
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

/** Versions of those that are no tombstones. */
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

/** Every event is there, nothing else is, and first appearances of one key are in the order of their positions. Returns how many came again. */
function compareWithTopic(
  {
    journal,
    published,
    isTopicWhole,
  }: {
    readonly journal: readonly JournalRow[];
    /** Ids of events, as the topic has them. */
    readonly published: readonly string[];
    readonly isTopicWhole: boolean;
  },
  note: (means: string, found: readonly unknown[]) => void,
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
    'Kafka has an event that the journal does not know',
    published.filter((id) => !known.has(id)),
  );
  note('first appearances of a key are out of order in Kafka', outOfOrder);
  return published.length - seen.size;
}
