/** The topic records in PostgreSQL: one row for each topic. */
import type { TopicRecord, TopicRecords } from '../../../ports/topic-records.js';
import { type Postgres, type Statement, statement } from '../connection/postgres.js';
import { streamMigrations } from '../schema/stream.js';

/** As text, because an offset can be larger than a number holds exactly. */
const FIND = statement(
  streamMigrations,
  'find_record',
  'SELECT generation, ends::text[] AS ends, partitions FROM topic_records WHERE topic = $1',
);

const CREATE = statement(
  streamMigrations,
  'create_record',
  'INSERT INTO topic_records (topic, generation, ends, partitions) VALUES ($1, 1, $2::bigint[], cardinality($2::bigint[])) ON CONFLICT (topic) DO NOTHING',
);

/** Parameters: topic, generation, ends. */
const RAISE = statement(
  streamMigrations,
  'raise_record',
  `UPDATE topic_records SET ends = ARRAY(
     SELECT greatest(known, reached) FROM unnest(ends, $3::bigint[]) WITH ORDINALITY AS pair (known, reached, partition) ORDER BY partition
   )
   WHERE topic = $1 AND generation = $2`,
);

/** Parameters: topic, generation, ends. */
const RENEW = statement(
  streamMigrations,
  'renew_record',
  'UPDATE topic_records SET generation = generation + 1, ends = $3::bigint[] WHERE topic = $1 AND generation = $2',
);

const NOTE_PARTITIONS = statement(
  streamMigrations,
  'note_partitions',
  'UPDATE topic_records SET partitions = $2 WHERE topic = $1 AND partitions <> $2',
);

type RecordRow = { readonly generation: number; readonly ends: readonly string[]; readonly partitions: number };

export function createPostgresTopicRecords({ postgres }: { readonly postgres: Postgres }): TopicRecords {
  async function find(topic: string): Promise<TopicRecord | null> {
    const [row] = (await postgres.query<RecordRow>(FIND, [topic])).rows;
    return row ? { ...row, ends: row.ends.map(BigInt) } : null;
  }

  async function change(change: Statement, topic: string, params: readonly unknown[]): Promise<TopicRecord> {
    await postgres.query(change, [topic, ...params]);
    const record = await find(topic);
    if (!record) throw new Error(`The record of the topic ${topic} does not exist: create it first`);
    return record;
  }

  return {
    find,
    create: (topic, ends) => change(CREATE, topic, [ends.map(String)]),
    raise: async (topic, { generation, ends }) =>
      (await postgres.query(RAISE, [topic, generation, ends.map(String)])).count === 1,
    notePartitions: async (topic, partitions) => {
      await postgres.query(NOTE_PARTITIONS, [topic, partitions]);
    },
    renew: (topic, { generation, ends }) => change(RENEW, topic, [generation, ends.map(String)]),
  };
}
