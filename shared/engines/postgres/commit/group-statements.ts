/** The SQL statements of the commit point, in the order in which a transaction runs them. */
import { statement } from '../connection/postgres.js';
import { journalMigrations } from '../schema/journal.js';
import { KEY_RETENTION_MS, oldestValid } from './earlier-requests.js';

/**
 * Parameters: keys, lock requests (`{subject, hold}` as JSON), ids of memories that the group deletes, how many
 * associations to end at most.
 */
export const LOCK = statement(
  journalMigrations,
  'lock_group',
  'SELECT subject, version, present, ended FROM lock_group($1, $2, $3, $4)',
);

/** Parameter: keys. A separate statement, so that it sees what was committed while LOCK waited. */
export const FIND_KEYS = statement(
  journalMigrations,
  'find_valid_keys',
  `SELECT key, request_hash, first_position, last_position FROM command_keys WHERE key = ANY ($1) AND at >= ${oldestValid(KEY_RETENTION_MS)}`,
);

/**
 * Parameters: moves as JSON, their subjects, ends of associations as JSON, subjects that LOCK created at version 0
 * without use, ids of answered commands. Every moved row is locked and checked, so a row that does not move is a bug.
 * Where a JSON list is joined, its keys are passed a second time as an array: for a JSON list the planner expects a
 * hundred rows and scans the whole table.
 */
export const MOVE = statement(
  journalMigrations,
  'move_subjects',
  `WITH moved AS (
     UPDATE subjects AS known SET version = made.version, revision = made.revision, present = made.present
     FROM json_to_recordset($1) AS made (subject text, version integer, revision integer, present boolean)
     WHERE known.subject = ANY ($2) AND known.subject = made.subject AND known.version < made.version
     RETURNING 1
   ), joined AS (
     INSERT INTO association_ends (memory_id, subject)
     SELECT memory_id, subject FROM json_to_recordset($3) AS made (memory_id text, subject text)
     ON CONFLICT DO NOTHING
   ), dropped AS (
     DELETE FROM subjects WHERE subject = ANY ($4) AND version = 0
   ), forgotten AS (
     DELETE FROM unanswered WHERE command_id IN (SELECT command_id FROM unanswered WHERE command_id = ANY ($5) ORDER BY command_id FOR UPDATE)
   )
   SELECT count(*) AS moved FROM moved`,
);

/**
 * Parameters: subjects to erase, subjects of the associations that end, both ends of each as JSON, the memories at
 * these ends.
 */
export const ERASE = statement(
  journalMigrations,
  'erase',
  `WITH erased AS (
     UPDATE journal SET data = NULL WHERE subject = ANY ($1) AND data IS NOT NULL
   ), parted AS (
     DELETE FROM association_ends AS known
     USING json_to_recordset($3) AS ended (memory_id text, subject text)
     WHERE known.memory_id = ANY ($4) AND known.memory_id = ended.memory_id AND known.subject = ended.subject
   )
   UPDATE subjects SET present = false WHERE subject = ANY ($2)`,
);

/**
 * Parameter: deleted memories. Lists those that still have associations. Every event of these has a visible position:
 * it was committed before the memory was locked. Later events, after the memory has returned, have higher positions.
 */
export const LEAVE_REST = statement(
  journalMigrations,
  'leave_rest',
  `INSERT INTO erasures (memory_id, until, after)
   SELECT gone.id, (SELECT coalesce(max(position), 0) FROM journal), '' FROM unnest($1::text[]) AS gone (id)
   WHERE EXISTS (SELECT FROM association_ends WHERE memory_id = gone.id)
   ON CONFLICT DO NOTHING`,
);

/**
 * Parameters: events (`eventsToAppend`), owner, lease in ms, keys and fingerprints as JSON with the numbers of their
 * first and last event in the group, and the witness: position and id of an event, or ''. Sets the arguments of
 * `append_group` for this transaction. Returns a number, so that the values do not come back.
 */
export const ARGUMENTS_OF_APPEND = statement(
  journalMigrations,
  'arguments_of_append',
  `SELECT num_nonnulls(
     set_config('palimpsest.events', $1, true), set_config('palimpsest.owner', $2, true), set_config('palimpsest.lease_ms', $3, true),
     set_config('palimpsest.keys', $4, true), set_config('palimpsest.fingerprints', $5, true),
     set_config('palimpsest.witness', $6, true)
   ) AS count`,
);

/** Goes to Postgres together with COMMIT: `append_events` blocks every other group until then. */
export const APPEND = 'SELECT position FROM append_group() AS position';

/**
 * Parameter: ids of events. Returns positions in ascending order, which is the order in which a group appends events.
 */
export const FIND_POSITIONS = statement(
  journalMigrations,
  'find_positions',
  'SELECT position FROM journal WHERE event_id = ANY ($1) ORDER BY position',
);
