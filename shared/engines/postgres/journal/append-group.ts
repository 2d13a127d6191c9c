/**
 * The SQL function `append_group()`: appends the events of a group of commands, and remembers the keys and fingerprints
 * of the commands. It returns the positions of the events in order.
 *
 * Its arguments are settings of the transaction, which an earlier statement sets (`ARGUMENTS_OF_APPEND`). So the call
 * itself is a constant text, which goes to Postgres together with COMMIT in one message: `append_events` blocks every
 * other group until the end of the transaction, and no pause of the client must lie in between. A message of several
 * statements takes no parameters, and literals in its text would appear in the views and logs of Postgres.
 *
 * Keys and fingerprints have the numbers of the first and last event of their command in the group, counted from 1.
 *
 * The witness is the newest event that the caller knows to be in the journal. Without it the journal went back, for
 * example because a standby that lagged was promoted, and nothing may be appended.
 */
import { WENT_BACK } from '../connection/postgres-errors.js';

const appendGroup = (create: string, variables: string, check: string): string => `
  ${create} append_group() RETURNS SETOF bigint LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    this_owner uuid := current_setting('palimpsest.owner');${variables}
  BEGIN${check}
    RETURN QUERY
      WITH appended AS MATERIALIZED (
        SELECT position, number FROM append_events(
          current_setting('palimpsest.events')::json, this_owner, current_setting('palimpsest.lease_ms')::integer
        ) WITH ORDINALITY AS made (position, number)
      ), keyed AS (
        INSERT INTO command_keys (key, request_hash, first_position, last_position, at)
        SELECT made.key, made.request_hash, first.position, last.position, clock_timestamp()
        FROM json_to_recordset(current_setting('palimpsest.keys')::json) AS made (key text, request_hash text, first bigint, last bigint)
        JOIN appended AS first ON first.number = made.first JOIN appended AS last ON last.number = made.last
        ON CONFLICT (key) DO UPDATE SET
          request_hash = excluded.request_hash, first_position = excluded.first_position, last_position = excluded.last_position, at = excluded.at
      ), remembered AS (
        INSERT INTO unanswered (command_id, fingerprint, owner, first_position, last_position, at)
        SELECT made.command_id, made.fingerprint, this_owner, first.position, last.position, clock_timestamp()
        FROM json_to_recordset(current_setting('palimpsest.fingerprints')::json) AS made (command_id uuid, fingerprint text, first bigint, last bigint)
        JOIN appended AS first ON first.number = made.first JOIN appended AS last ON last.number = made.last
      )
      SELECT position FROM appended ORDER BY number;
  END
  $$;`;

/** The function of an earlier release, without a witness. */
export const APPEND_GROUP = appendGroup('CREATE FUNCTION', '', '');
/** Processes of an earlier release, which may still run next to later ones, set no witness. */
export const APPEND_WITNESSED_GROUP = appendGroup(
  'CREATE OR REPLACE FUNCTION',
  `
    witness text := nullif(current_setting('palimpsest.witness', true), '');`,
  `
    IF witness IS NOT NULL AND NOT EXISTS (
      SELECT FROM journal WHERE position = split_part(witness, ' ', 1)::bigint AND event_id = split_part(witness, ' ', 2)::uuid
    ) THEN
      RAISE EXCEPTION 'the journal went back' USING ERRCODE = '${WENT_BACK}';
    END IF;`,
);
