/**
 * The columns with which `outbox_pending` counts failed attempts of the graph at an event, and the SQL by which reads recognize the dead
 * letters of the commit. Nearly no row has a failed attempt, so the index is nearly always empty.
 */
import { COMMIT_LETTERS } from '../../contract/projector-names.js';

export const COMMIT_RETRIES = `
  ALTER TABLE outbox_pending
    ADD COLUMN attempts integer NOT NULL DEFAULT 0,
    ADD COLUMN next_attempt_at timestamptz,
    ADD COLUMN last_error text;
  CREATE INDEX outbox_pending_retries ON outbox_pending (next_attempt_at) WHERE attempts > 0;`;

/** The keys of the dead letters of the commit: `partition_key`, and `since`, the first position of each. */
export const DEAD_KEYS = `
  SELECT partition_key, min(position) AS since
  FROM (SELECT position FROM dead_letters WHERE projector = '${COMMIT_LETTERS}') AS letter JOIN journal USING (position)
  GROUP BY partition_key`;

/**
 * Whether no dead letter of the commit holds a row of `outbox` back; needs `dead`, made of DEAD_KEYS. The count comes first, so that without
 * dead letters no row is looked up in the journal, and so that Postgres does not make a join with the whole journal of it.
 */
export const IS_LIVE = `((SELECT count(*) FROM dead) = 0 OR NOT EXISTS (
    SELECT FROM dead WHERE dead.since <= outbox.position AND dead.partition_key = (SELECT event.partition_key FROM journal AS event WHERE event.position = outbox.position)
  ))`;
