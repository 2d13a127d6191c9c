/**
 * Reads the database of a stopped service directly with SQL and reports where its parts disagree: journal, subjects,
 * graph, tags, words, counts, vectors and checkpoints.
 */
import { join } from 'node:path';
import { type OpenDatabase, openDatabase } from '../../../shared/engines/sqlite/threads/open-database.js';

export type Findings = {
  /** Counted without the patterns and the derived associations that enrichment adds. */
  readonly memories: number;
  readonly associations: number;
  /** One sentence for each disagreement. */
  readonly disagreements: readonly string[];
};

/** Queries that must return no rows, each with the meaning of a returned row. */
const MUST_BE_EMPTY: readonly { readonly meaning: string; readonly sql: string }[] = [
  {
    meaning: 'the versions of a subject have a gap',
    sql: 'SELECT subject FROM journal GROUP BY subject HAVING COUNT(*) <> MAX(version) OR MIN(version) <> 1',
  },
  {
    meaning: 'positions and versions of a subject disagree in order',
    sql: 'SELECT one.subject FROM journal one JOIN journal other ON one.subject = other.subject AND one.version < other.version AND one.position > other.position',
  },
  {
    meaning: 'a subject is not at its last journalled version',
    sql: 'SELECT s.subject FROM subjects s WHERE s.version <> (SELECT MAX(version) FROM journal j WHERE j.subject = s.subject)',
  },
  {
    meaning: 'a memory of the graph differs from its subject',
    sql: 'SELECT m.id FROM memories m LEFT JOIN subjects s ON s.subject = m.id WHERE s.subject IS NULL OR s.version <> m.version OR s.present <> m.present OR s.revision <> m.revision',
  },
  {
    meaning: 'a present subject has no memory in the graph',
    sql: "SELECT s.subject FROM subjects s WHERE s.present = 1 AND instr(s.subject, '|') = 0 AND s.subject NOT IN (SELECT subject FROM journal WHERE type LIKE 'key.%') AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = s.subject AND m.present = 1)",
  },
  {
    meaning: 'the graph and the journal have different content',
    sql: `SELECT m.id FROM memories m JOIN memory_bodies b ON b.n = m.n JOIN journal j ON j.subject = m.id AND j.version = m.version
          WHERE m.present = 1 AND json_extract(j.data, '$.memory.content') IS NOT json_extract(b.body, '$.content')`,
  },
  {
    meaning: 'the journal still has the text of a deleted memory',
    sql: "SELECT j.subject FROM journal j JOIN memories m ON m.id = j.subject WHERE m.present = 0 AND j.data IS NOT NULL AND j.type <> 'memory.deleted'",
  },
  {
    meaning: 'the graph still has the body of a deleted memory',
    sql: 'SELECT m.id FROM memories m JOIN memory_bodies b ON b.n = m.n WHERE m.present = 0',
  },
  {
    meaning: 'tags of the body and tag rows disagree',
    sql: `SELECT m.id FROM memories m JOIN memory_bodies b ON b.n = m.n
          WHERE (SELECT COUNT(*) FROM memory_tags t WHERE t.n = m.n AND t.kind = 0) <> json_array_length(b.body, '$.tags')
             OR (SELECT COUNT(*) FROM tag_order o WHERE o.n = m.n AND o.importance = m.importance AND o.timestamp = m.timestamp) <> json_array_length(b.body, '$.tags')`,
  },
  {
    meaning: 'tag rows of a missing memory',
    sql: 'SELECT o.id FROM tag_order o LEFT JOIN memories m ON m.n = o.n AND m.present = 1 WHERE m.n IS NULL',
  },
  {
    meaning: 'a memory has no words',
    sql: 'SELECT id FROM memories WHERE present = 1 AND n NOT IN (SELECT n FROM memory_words)',
  },
  {
    meaning: 'words of a missing memory',
    sql: "SELECT n FROM memory_words WHERE (content <> '' OR tags <> '') AND n NOT IN (SELECT n FROM memories WHERE present = 1)",
  },
  {
    meaning: 'the features next to the words of a memory are not its own',
    sql: `SELECT m.id FROM memories m JOIN memory_words w ON w.n = m.n WHERE m.present = 1 AND NOT
          (w.id IS m.id AND w.type IS m.type AND w.importance IS m.importance AND w.timestamp IS m.timestamp
           AND w.archived IS m.archived AND w.t_valid IS m.t_valid AND w.t_invalid IS m.t_invalid)`,
  },
  {
    meaning: 'a memory has no vector of its version',
    sql: 'SELECT m.id FROM memories m LEFT JOIN points p ON p.id = m.id WHERE m.present = 1 AND (p.vector IS NULL OR p.version <> m.version)',
  },
  {
    meaning: 'a vector without a memory',
    sql: 'SELECT p.id FROM points p LEFT JOIN memories m ON m.id = p.id AND m.present = 1 WHERE p.vector IS NOT NULL AND m.id IS NULL',
  },
  {
    meaning: 'a cached embedding without a use',
    sql: 'SELECT ref FROM embedding_cache WHERE ref NOT IN (SELECT ref FROM embedding_uses)',
  },
  {
    meaning: 'an embedding is kept for a missing memory',
    sql: 'SELECT u.memory_id FROM embedding_uses u LEFT JOIN memories m ON m.id = u.memory_id AND m.present = 1 WHERE m.id IS NULL',
  },
  {
    meaning: 'an association has a missing end',
    sql: 'SELECT a.source FROM associations a WHERE NOT (SELECT present FROM memories WHERE n = a.source) OR NOT (SELECT present FROM memories WHERE n = a.target)',
  },
  {
    meaning: 'the counts of memories are wrong',
    sql: 'SELECT type FROM memory_counts c WHERE c.memories <> (SELECT COUNT(*) FROM memories m WHERE m.present = 1 AND m.type = c.type)',
  },
  {
    meaning: 'the count of associations is wrong',
    sql: 'SELECT associations FROM association_counts WHERE associations <> (SELECT COUNT(*) FROM associations)',
  },
  {
    meaning: 'a checkpoint is not at the head of the journal',
    sql: 'SELECT consumer_group FROM stream_checkpoints WHERE position <> (SELECT MAX(position) FROM journal)',
  },
  { meaning: 'dead letters remain', sql: 'SELECT event_id FROM dead_letters' },
];

const EXAMPLES = 3;

/** The service must be stopped, with all commits projected. */
export async function examineDataFolder(dataFolder: string): Promise<Findings> {
  const database = openDatabase(join(dataFolder, 'palimpsest.db'), { busyTimeoutMs: 1_000 });
  try {
    return {
      memories: count(database, "SELECT COUNT(*) AS n FROM memories WHERE present = 1 AND type <> 'MetaPattern'"),
      associations: count(database, 'SELECT COUNT(*) AS n FROM associations WHERE derived = 0'),
      disagreements: MUST_BE_EMPTY.flatMap(({ meaning, sql }) => {
        const rows = database.all(sql);
        return rows.length === 0
          ? []
          : [
              `${meaning}: ${rows.length}, for example ${rows
                .slice(0, EXAMPLES)
                .map((row) => Object.values(row)[0])
                .join(', ')}`,
            ];
      }),
    };
  } finally {
    database.close();
  }
}

function count(database: OpenDatabase, sql: string): number {
  return Number(database.get(sql)?.['n']);
}
