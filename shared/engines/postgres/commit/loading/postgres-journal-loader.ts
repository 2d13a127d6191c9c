/**
 * Fills an empty journal in Postgres. Its events wait in the outbox for the relay, as after a commit that the graph has
 * applied.
 */
import type { RecordedEvent } from '../../../../contract/events.js';
import type { JournalLoader } from '../../../../ports/journal-loader.js';
import { endsOf, ERASE_FORMER, isPresent, LIST_ERASURES } from '../../../sql/load-journal.js';
import { type Postgres, statement } from '../../connection/postgres.js';
import { EVENT_COLUMNS, eventRow } from '../../journal/event-rows.js';
import { journalMigrations } from '../../schema/journal.js';

/** Parameters: events as JSON, both ends of their associations as JSON. */
const LOAD = statement(
  journalMigrations,
  'load_events',
  `WITH given AS MATERIALIZED (
     SELECT * FROM json_to_recordset($1) AS made (
       position bigint, event_id uuid, type text, schema_version integer, subject text, partition_key text, version integer, revision integer,
       time text, actor text, correlation_id text, causation_id text, traceparent text, tenant text, data text, present boolean
     )
   ), loaded AS (
     INSERT INTO journal (${EVENT_COLUMNS}) OVERRIDING SYSTEM VALUE SELECT ${EVENT_COLUMNS} FROM given ON CONFLICT (position) DO NOTHING
   ), joined AS (
     INSERT INTO association_ends (memory_id, subject)
     SELECT DISTINCT memory_id, subject FROM json_to_recordset($2) AS made (memory_id text, subject text) ON CONFLICT DO NOTHING
   )
   INSERT INTO subjects AS known (subject, version, revision, present)
   SELECT DISTINCT ON (subject) subject, version, revision, present FROM given ORDER BY subject, version DESC
   ON CONFLICT (subject) DO UPDATE SET version = excluded.version, revision = excluded.revision, present = excluded.present
   WHERE excluded.version > known.version`,
);
const ERASE = statement(journalMigrations, 'erase_former', ERASE_FORMER);
const ERASURES = statement(journalMigrations, 'list_erasures', LIST_ERASURES);
const QUEUE = statement(
  journalMigrations,
  'queue_loaded',
  'INSERT INTO outbox (position) SELECT position FROM journal ON CONFLICT DO NOTHING',
);
const CONTINUE_POSITIONS = statement(
  journalMigrations,
  'continue_positions',
  "SELECT setval('journal_position_seq', max(position)) FROM journal HAVING max(position) > 0",
);

export function createPostgresJournalLoader({ postgres }: { readonly postgres: Postgres }): JournalLoader {
  return {
    load: async (events) => {
      const ends = events.flatMap((event) => endsOf(event).map((end) => ({ memory_id: end, subject: event.subject })));
      await postgres.query(LOAD, [JSON.stringify(events.map(rowOf)), JSON.stringify(ends)]);
    },
    finish: () =>
      postgres.transaction(async (transaction) => {
        for (const step of [ERASE, ERASURES, QUEUE, CONTINUE_POSITIONS]) await transaction.query(step, []);
      }),
  };
}

function rowOf(event: RecordedEvent) {
  const dataText = event.data === null ? null : JSON.stringify(event.data);
  return { ...eventRow(event, dataText), position: event.position, present: isPresent(event) };
}
