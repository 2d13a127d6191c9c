/**
 * Reads the journal in Postgres. One bigint is a safe cursor, because `append_events` assigns positions in the order of
 * commits.
 */
import type { EventCount, JournalReader, JournalSize } from '../../../ports/journal.js';
import { recordedEvent } from '../../sql/recorded-event.js';
import { type Postgres, type Row, statement } from '../connection/postgres.js';
import { journalMigrations } from '../schema/journal.js';
import { EVENT_COLUMNS } from './event-rows.js';

/** An upper bound that the index can use, unlike a condition that may be null. */
const THROUGH = 'position <= coalesce($4::bigint, 9223372036854775807)';
const READ = statement(
  journalMigrations,
  'read',
  `SELECT ${EVENT_COLUMNS} FROM journal WHERE position > $1 AND ${THROUGH} AND ($2::text[] IS NULL OR type = ANY ($2)) ORDER BY position LIMIT $3`,
);
/** Within one subject, versions and positions increase together, and the index returns versions in order. */
const READ_SUBJECT = statement(
  journalMigrations,
  'read_subject',
  `SELECT ${EVENT_COLUMNS} FROM journal WHERE subject = $5 AND version > $6 AND position > $1 AND ${THROUGH} AND ($2::text[] IS NULL OR type = ANY ($2))
   ORDER BY version LIMIT $3`,
);
/**
 * Walks the table of subjects, and reads one event for each by the index of the journal. A subject of version 0 is
 * locked for its first event. The limit in LATERAL keeps Postgres from a join with the whole journal.
 */
const STATES = statement(
  journalMigrations,
  'states',
  `SELECT event.* FROM subjects AS known CROSS JOIN LATERAL (
     SELECT ${EVENT_COLUMNS} FROM journal WHERE journal.subject = known.subject AND journal.version = known.version LIMIT 1
   ) AS event
   WHERE known.subject > $1 AND known.version > 0 ORDER BY known.subject LIMIT $2`,
);
/** Up to this number subjects are counted, because Postgres has no estimate of a table that it never analysed. */
const COUNTED_SUBJECTS = 10_000;
const ESTIMATE_SUBJECTS = statement(
  journalMigrations,
  'estimate_subjects',
  `SELECT greatest(counted, CASE WHEN counted = ${COUNTED_SUBJECTS} THEN (SELECT reltuples FROM pg_class WHERE oid = 'subjects'::regclass) END)::bigint AS subjects
   FROM (SELECT count(*) AS counted FROM (SELECT FROM subjects WHERE version > 0 LIMIT ${COUNTED_SUBJECTS}) AS first) AS bounded`,
);
const LAST_OF = statement(
  journalMigrations,
  'last_of',
  `SELECT event.* FROM unnest($1::text[]) AS wanted (subject) CROSS JOIN unnest($2::text[]) AS searched (type) CROSS JOIN LATERAL (
     SELECT ${EVENT_COLUMNS} FROM journal WHERE journal.subject = wanted.subject AND journal.type = searched.type ORDER BY version DESC LIMIT 1
   ) AS event`,
);
const AGE_AFTER = statement(
  journalMigrations,
  'age_after',
  'SELECT (extract(epoch FROM clock_timestamp() - recorded_at) * 1000)::float8 AS age_ms FROM journal WHERE position > $1 ORDER BY position LIMIT 1',
);
/** The primary key gives the newest rows: no index of times is needed. One row without an event has the head alone. */
const COUNT_STEPS = statement(
  journalMigrations,
  'count_steps',
  `SELECT (SELECT coalesce(max(position), 0) FROM journal) AS head, floor(extract(epoch FROM now()) * 1000 / $2)::bigint AS now, counted.*
   FROM (VALUES (1)) AS one LEFT JOIN (
     SELECT floor(extract(epoch FROM recorded_at) * 1000 / $2)::bigint AS step, type, count(*)::int AS events
     FROM (SELECT type, recorded_at FROM journal WHERE position > $1 ORDER BY position DESC LIMIT $3) AS newest GROUP BY 1, 2
   ) AS counted ON true`,
);
/** Both numbers are of the catalogue: `ANALYZE` leaves the share of deleted subjects there, so no table is read. */
const SIZE = statement(
  journalMigrations,
  'size',
  `SELECT pg_total_relation_size('journal') AS bytes, round(greatest(reltuples, 0) * coalesce((
     SELECT most_common_freqs[array_position(most_common_vals::text::boolean[], false)] FROM pg_stats
     WHERE schemaname = relnamespace::regnamespace::text AND tablename = relname AND attname = 'present'
   ), 0))::bigint AS "deletedSubjects" FROM pg_class WHERE oid = 'subjects'::regclass`,
);
const HEAD = statement(journalMigrations, 'head', 'SELECT coalesce(max(position), 0) AS head FROM journal');

type CountRow = { readonly head: number; readonly now: number } & (EventCount | { readonly step: null });

export function createPostgresJournal({ postgres }: { readonly postgres: Postgres }): JournalReader {
  async function head(): Promise<number> {
    const { rows } = await postgres.query<{ head: number }>(HEAD);
    return rows[0]?.head ?? 0;
  }

  return {
    read: async ({ after, through, limit, types, subject, afterVersion = 0 }) => {
      const params = [after, types ?? null, limit, through ?? null];
      const { rows } =
        subject === undefined
          ? await postgres.query<Row>(READ, params)
          : await postgres.query<Row>(READ_SUBJECT, [...params, subject, afterVersion]);
      return rows.map(recordedEvent);
    },
    states: async ({ after, limit }) => (await postgres.query<Row>(STATES, [after, limit])).rows.map(recordedEvent),
    estimateSubjects: async () =>
      (await postgres.query<{ subjects: number }>(ESTIMATE_SUBJECTS)).rows[0]?.subjects ?? 0,
    lastOf: async ({ subjects, types }) =>
      (await postgres.query<Row>(LAST_OF, [subjects, types])).rows.map(recordedEvent),
    head,
    ageAfter: async (position) => {
      const { rows } = await postgres.query<{ age_ms: number }>(AGE_AFTER, [position]);
      return rows[0]?.age_ms ?? null;
    },
    countSteps: async ({ after, stepMs, limit }) => {
      const { rows } = await postgres.query<CountRow>(COUNT_STEPS, [after, stepMs, limit]);
      const counts = rows.filter((row): row is CountRow & EventCount => row.step !== null);
      return {
        head: rows[0]?.head ?? 0,
        now: rows[0]?.now ?? 0,
        counts: counts.map(({ step, type, events }) => ({ step, type, events })),
      };
    },
    size: async () => (await postgres.query<JournalSize>(SIZE)).rows[0] ?? { bytes: 0, deletedSubjects: 0 },
    ping: async () => {
      await head();
    },
  };
}
