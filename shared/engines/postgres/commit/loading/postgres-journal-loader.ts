/**
 * Fills an empty journal in Postgres. Its events wait in the outbox for the relay, as after a commit that the graph has
 * applied.
 */
import type { RecordedEvent } from '../../../../contract/events.js';
import type { JournalLoader } from '../../../../ports/journal-loader.js';
import { endsOf, eraseFormer, isPresent, listErasures } from '../../../sql/load-journal.js';
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
/** Events in one transaction of `finish`: a statement over the whole journal would take longer than it may. */
const PAGE_EVENTS = 5_000;
/** Parameter: the position before the page. The last position of the page, null behind the last event. */
const PAGE_END = statement(
  journalMigrations,
  'loaded_page_end',
  `SELECT max(position) AS last FROM (SELECT position FROM journal WHERE position > $1 ORDER BY position LIMIT ${PAGE_EVENTS}) AS page`,
);
/** Parameters: the position before the page, its last position. */
const IS_ON_PAGE = 'position > $1 AND position <= $2';
const FINISH_PAGE = [
  statement(journalMigrations, 'erase_former', eraseFormer(IS_ON_PAGE)),
  statement(journalMigrations, 'list_erasures', listErasures(IS_ON_PAGE)),
  statement(
    journalMigrations,
    'queue_loaded',
    `INSERT INTO outbox (position) SELECT position FROM journal WHERE ${IS_ON_PAGE} ON CONFLICT DO NOTHING`,
  ),
];
const CONTINUE_POSITIONS = statement(
  journalMigrations,
  'continue_positions',
  "SELECT setval('journal_position_seq', max(position)) FROM journal HAVING max(position) > 0",
);

export function createPostgresJournalLoader({ postgres }: { readonly postgres: Postgres }): JournalLoader {
  async function endOfPage(after: number): Promise<number | null> {
    return (await postgres.query<{ last: number | null }>(PAGE_END, [after])).rows[0]?.last ?? null;
  }

  return {
    load: async (events) => {
      const ends = events.flatMap((event) => endsOf(event).map((end) => ({ memory_id: end, subject: event.subject })));
      await postgres.query(LOAD, [JSON.stringify(events.map(rowOf)), JSON.stringify(ends)]);
    },
    finish: async () => {
      for (let [after, last] = [0, await endOfPage(0)]; last !== null; [after, last] = [last, await endOfPage(last)]) {
        const page = [after, last];
        await postgres.transaction(async (transaction) => {
          for (const step of FINISH_PAGE) await transaction.query(step, page);
        });
      }
      await postgres.query(CONTINUE_POSITIONS, []);
    },
  };
}

function rowOf(event: RecordedEvent) {
  const dataText = event.data === null ? null : JSON.stringify(event.data);
  return { ...eventRow(event, dataText), position: event.position, present: isPresent(event) };
}
