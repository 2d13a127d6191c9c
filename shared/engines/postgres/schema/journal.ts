/** The schema of the journal and of all tables that commit with it. The embedding cache has migrations of its own. */
import { COMMIT_LETTERS, RELAY_LETTERS } from '../../../contract/projector-names.js';
import type { Migrations } from '../connection/postgres.js';
import { APPEND_EVENTS } from '../journal/append-events.js';
import { APPEND_GROUP, APPEND_WITNESSED_GROUP } from '../journal/append-group.js';
import { LOCK_BOUNDED_GROUP, LOCK_GROUP } from '../journal/lock-group.js';
import { OWNER_IS_GONE } from '../journal/owner-is-gone.js';

const COMMIT_RETRIES = `
  ALTER TABLE outbox_pending
    ADD COLUMN attempts integer NOT NULL DEFAULT 0,
    ADD COLUMN next_attempt_at timestamptz,
    ADD COLUMN last_error text;
  CREATE INDEX outbox_pending_retries ON outbox_pending (next_attempt_at) WHERE attempts > 0;`;

/**
 * For the look-ups of pending rows by subject and by command. Without them each look-up reads the whole table, with the
 * rows that are dead while any transaction has an old snapshot.
 */
const PENDING_INDEXES = `
  CREATE INDEX outbox_pending_subject ON outbox_pending (subject);
  CREATE INDEX outbox_pending_command ON outbox_pending (command_id);
  CREATE INDEX outbox_pending_failed ON outbox_pending (subject, position) WHERE attempts > 0;`;

/**
 * `head`: the head of the journal. `start`: the remembered lower bound in parameter 1; 0 when it is above the head,
 * because the journal was restored from a backup.
 */
export const HEAD_AND_START = `head_and_start AS MATERIALIZED (
  SELECT head, CASE WHEN $1::bigint > head THEN 0 ELSE $1::bigint END AS start
  FROM (SELECT coalesce((SELECT position FROM journal ORDER BY position DESC LIMIT 1), 0) AS head) AS journal_head
)`;

/** Dead letters of events that the stream must not get before a redrive: the graph or the stream refused them. */
export const IS_HELD_LETTER = `projector IN ('${COMMIT_LETTERS}', '${RELAY_LETTERS}')`;

/** The keys of these dead letters: `partition_key`, and `since`, the first position of each. */
export const DEAD_KEYS = `
  SELECT partition_key, min(position) AS since
  FROM (SELECT position FROM dead_letters WHERE ${IS_HELD_LETTER}) AS letter JOIN journal USING (position)
  GROUP BY partition_key`;

/**
 * Whether no event of `keys` holds a row of `outbox` back. `keys` names rows with `partition_key` and `since`. The
 * count comes first, so that without them no row is looked up in the journal, and so that Postgres does not make a join
 * with the whole journal of it.
 */
export const isFreeOf = (keys: string): string => `((SELECT count(*) FROM ${keys}) = 0 OR NOT EXISTS (
    SELECT FROM ${keys} WHERE ${keys}.since <= outbox.position
      AND ${keys}.partition_key = (SELECT event.partition_key FROM journal AS event WHERE event.position = outbox.position)
  ))`;

const JOURNAL_IDENTITY = `
  CREATE TABLE journal_identity (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    has_marked_graph boolean NOT NULL DEFAULT false
  );
  INSERT INTO journal_identity DEFAULT VALUES;`;

/**
 * The position after which the graph lacks events, and the progress of its rebuild. The query API reads them for
 * health.
 */
const GRAPH_REBUILD = `
  ALTER TABLE journal_identity
    ADD COLUMN graph_behind_from bigint,
    ADD COLUMN rebuild_progress text,
    ADD COLUMN rebuild_at timestamptz;`;

/** An event that was committed and that the journal lacks, because it went back to an earlier state. */
const LOST_EVENT = `
  ALTER TABLE journal_identity ADD COLUMN lost_position bigint, ADD COLUMN lost_event_id uuid;`;

/**
 * The current version of each subject. The only guard of versions, also after old partitions of the journal are
 * dropped.
 */
const SUBJECTS = `
  CREATE TABLE subjects (
    subject text PRIMARY KEY,
    version integer NOT NULL,
    revision integer NOT NULL,
    present boolean NOT NULL
  ) WITH (fillfactor = 80);

  -- Both ends of every association, so that the deletion of a memory finds its associations.
  CREATE TABLE association_ends (
    memory_id text NOT NULL,
    subject text NOT NULL,
    PRIMARY KEY (memory_id, subject)
  );`;

/**
 * Insert-only, except that an erasure sets \`data\` to null; therefore \`data\` is a column apart from the envelope.
 * Its type is \`text\`: no query reads inside it, and jsonb costs a third of the throughput. Only the position is
 * unique, so that the table can be partitioned by it.
 */
const JOURNAL = `
  CREATE TABLE journal (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id uuid NOT NULL,
    type text NOT NULL,
    schema_version integer NOT NULL,
    subject text NOT NULL,
    partition_key text NOT NULL,
    version integer NOT NULL,
    revision integer NOT NULL,
    time text NOT NULL,
    actor text NOT NULL,
    correlation_id text NOT NULL,
    causation_id text,
    traceparent text,
    tenant text,
    data text,
    recorded_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX journal_subject ON journal (subject, version);
  CREATE INDEX journal_event ON journal (event_id);`;

/**
 * Events on their way: in \`outbox\` from commit to publication, and in \`outbox_pending\` until the graph has them.
 * These are two narrow tables whose rows are inserted and deleted, never updated. With a state column in one table, a
 * search for pending rows would read all rows that wait for the stream (millions after a day without it), or need an
 * index that every change of state writes. Autovacuum starts after a number of dead rows, because a percentage of an
 * empty table is 0.
 */
const OUTBOX = `
  CREATE TABLE outbox (
    position bigint PRIMARY KEY,
    recorded_at timestamptz NOT NULL DEFAULT now()
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

  -- Until the lease expires only the owner applies the row, afterwards any process.
  CREATE TABLE outbox_pending (
    position bigint PRIMARY KEY,
    partition_key text NOT NULL,
    subject text NOT NULL,
    command_id uuid NOT NULL,
    owner uuid NOT NULL,
    lease_until timestamptz NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

  -- Increases with every change of the leading relay.
  CREATE TABLE relay_epoch (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    epoch bigint NOT NULL
  );
  INSERT INTO relay_epoch (epoch) VALUES (0);`;

/** How a repeated request finds its earlier commit: by its key, or by its fingerprint while its reply was not sent. */
const EARLIER_REQUESTS = `
  CREATE TABLE command_keys (
    key text PRIMARY KEY,
    request_hash text NOT NULL,
    first_position bigint NOT NULL,
    last_position bigint NOT NULL,
    at timestamptz NOT NULL
  );
  CREATE INDEX command_keys_at ON command_keys (at);

  CREATE TABLE unanswered (
    command_id uuid PRIMARY KEY,
    fingerprint text NOT NULL,
    -- The process that will reply; null when no process will.
    owner uuid,
    first_position bigint NOT NULL,
    last_position bigint NOT NULL,
    at timestamptz NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
  CREATE INDEX unanswered_fingerprint ON unanswered (fingerprint, at);
  CREATE INDEX unanswered_at ON unanswered (at);`;

const PROJECTORS = `
  CREATE TABLE dead_letters (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    projector text NOT NULL,
    event_id text NOT NULL,
    subject text NOT NULL,
    type text NOT NULL,
    version integer NOT NULL,
    position bigint NOT NULL,
    reason text NOT NULL,
    attempts integer NOT NULL,
    at text NOT NULL,
    UNIQUE (projector, event_id)
  );
  CREATE INDEX dead_letters_subject ON dead_letters (projector, subject, version);

  -- The state as JSON, exactly as its projector saved it.
  CREATE TABLE projector_states (
    name text NOT NULL,
    instance text NOT NULL,
    state text NOT NULL,
    heartbeat_at timestamptz NOT NULL,
    PRIMARY KEY (name, instance)
  );`;

const STEERING = `
  ALTER TABLE dead_letters ADD COLUMN awaits_redrive boolean NOT NULL DEFAULT false;
  CREATE INDEX dead_letters_to_redrive ON dead_letters (projector, id) WHERE awaits_redrive;

  -- Projectors that an operator paused.
  CREATE TABLE paused_projectors (name text PRIMARY KEY);`;

/** A table only for deletions with more associations than one transaction erases, so it is nearly always empty. */
const ERASURES = `
  -- A deleted memory whose associations still have data from positions up to \`until\`. \`after\`: the last association that was erased.
  CREATE TABLE erasures (
    memory_id text NOT NULL,
    until bigint NOT NULL,
    after text NOT NULL,
    PRIMARY KEY (memory_id, until)
  );`;

export const journalMigrations: Migrations = {
  component: 'journal',
  steps: [
    [SUBJECTS, JOURNAL, OUTBOX, EARLIER_REQUESTS, PROJECTORS, APPEND_EVENTS, LOCK_GROUP, OWNER_IS_GONE].join('\n'),
    STEERING,
    COMMIT_RETRIES,
    [ERASURES, LOCK_BOUNDED_GROUP].join('\n'),
    JOURNAL_IDENTITY,
    [PENDING_INDEXES, APPEND_GROUP].join('\n'),
    GRAPH_REBUILD,
    [LOST_EVENT, APPEND_WITNESSED_GROUP].join('\n'),
  ],
};
