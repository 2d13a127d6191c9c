/**
 * The columns with which `outbox_pending` counts failed attempts of the graph at an event, and the SQL by which reads recognize the dead
 * letters of the commit. Nearly no row has a failed attempt, so the index is nearly always empty.
 */
import { COMMIT_LETTERS } from '../../../contract/projector-names.js';

export const COMMIT_RETRIES = `
  ALTER TABLE outbox_pending
    ADD COLUMN attempts integer NOT NULL DEFAULT 0,
    ADD COLUMN next_attempt_at timestamptz,
    ADD COLUMN last_error text;
  CREATE INDEX outbox_pending_retries ON outbox_pending (next_attempt_at) WHERE attempts > 0;`;

/**
 * For the look-ups of pending rows by subject and by command. Without them each look-up reads the whole table, with the rows that are dead
 * while any transaction has an old snapshot.
 */
export const PENDING_INDEXES = `
  CREATE INDEX outbox_pending_subject ON outbox_pending (subject);
  CREATE INDEX outbox_pending_command ON outbox_pending (command_id);
  CREATE INDEX outbox_pending_failed ON outbox_pending (subject, position) WHERE attempts > 0;`;

/**
 * `head`: the head of the journal. `start`: the remembered lower bound in parameter 1; 0 when it is above the head, because the journal was
 * restored from a backup.
 */
export const HEAD_AND_START = `head_and_start AS MATERIALIZED (
  SELECT head, CASE WHEN $1::bigint > head THEN 0 ELSE $1::bigint END AS start
  FROM (SELECT coalesce((SELECT position FROM journal ORDER BY position DESC LIMIT 1), 0) AS head) AS journal_head
)`;

/** The keys of the dead letters of the commit: `partition_key`, and `since`, the first position of each. */
export const DEAD_KEYS = `
  SELECT partition_key, min(position) AS since
  FROM (SELECT position FROM dead_letters WHERE projector = '${COMMIT_LETTERS}') AS letter JOIN journal USING (position)
  GROUP BY partition_key`;

/**
 * Whether no event of `keys` holds a row of `outbox` back. `keys` names rows with `partition_key` and `since`. The count comes first, so that
 * without them no row is looked up in the journal, and so that Postgres does not make a join with the whole journal of it.
 */
export const isFreeOf = (keys: string): string => `((SELECT count(*) FROM ${keys}) = 0 OR NOT EXISTS (
    SELECT FROM ${keys} WHERE ${keys}.since <= outbox.position
      AND ${keys}.partition_key = (SELECT event.partition_key FROM journal AS event WHERE event.position = outbox.position)
  ))`;
