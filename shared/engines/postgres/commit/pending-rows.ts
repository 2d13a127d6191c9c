/**
 * Pending rows of the outbox: events that Postgres committed and the graph may lack. The statements find, claim and
 * finish them.
 *
 * While any transaction has an old snapshot, deleted rows stay in the table, and the planner still expects an empty
 * one: it takes a scan of the whole index in order for as cheap as a look-up. So rows are looked up with `= ANY
 * (ARRAY(...))` and sorted by `position + 0`, for which no order of an index helps (500,000 dead rows: 60 ms with `IN`
 * and `ORDER BY position`, below 1 ms so).
 */
import type { RecordedEvent } from '../../../contract/events.js';
import { COMMIT_LETTERS } from '../../../contract/projector-names.js';
import type { EventAddress } from '../../../ports/outbox.js';
import { recordedEvent } from '../../sql/recorded-event.js';
import { type Queryable, type Row, statement } from '../connection/postgres.js';
import { EVENT_COLUMNS, positionsAndIds } from '../journal/event-rows.js';
import { APPLIED_CHANNEL } from '../outbox/applied-listener.js';
import { journalMigrations } from '../schema/journal.js';
import type { PositionRange } from './check-group.js';

/** Both are null for an applied event. */
const FAILURES = `(SELECT attempts FROM outbox_pending AS pending WHERE pending.position = journal.position) AS attempts,
  (SELECT id FROM dead_letters AS letter WHERE letter.projector = '${COMMIT_LETTERS}' AND letter.event_id = journal.event_id::text) AS letter`;

const OF_SUBJECTS = statement(
  journalMigrations,
  'pending_of_subjects',
  `SELECT ${EVENT_COLUMNS}, ${FAILURES} FROM journal WHERE position = ANY (ARRAY(
     SELECT position FROM outbox_pending WHERE subject = ANY ($1)
     UNION ALL SELECT position FROM dead_letters WHERE projector = '${COMMIT_LETTERS}' AND subject = ANY ($1)
   )) ORDER BY position`,
);

const OF_RANGES = statement(
  journalMigrations,
  'events_of_ranges',
  `SELECT ${EVENT_COLUMNS}, ${FAILURES}
   FROM journal JOIN unnest($1::bigint[], $2::bigint[]) AS wanted (first, last) ON position BETWEEN first AND last
   ORDER BY position`,
);

/** Of `row`: an earlier event of the same subject failed, and is tried again first. */
export const IS_BEHIND_FAILED = `EXISTS (
  SELECT FROM outbox_pending AS earlier WHERE earlier.attempts > 0 AND earlier.subject = row.subject AND earlier.position < row.position
)`;

/**
 * Parameters: owner, lease in ms, limit, the bound of pending rows. Only events without a failed attempt. Skips rows
 * that another process is claiming at the moment. An owner whose lease expired, or whose process is gone, will not
 * answer its commands either, so they become abandoned. Statements that lock several rows lock them in order, which
 * prevents deadlocks.
 */
const CLAIM = statement(
  journalMigrations,
  'claim_overdue',
  `WITH gone AS MATERIALIZED (
     SELECT owner FROM (SELECT DISTINCT owner FROM outbox_pending WHERE position > $4 AND attempts = 0 AND owner <> $1) AS others WHERE owner_is_gone(owner, 0)
   ), claimed AS (
     UPDATE outbox_pending SET owner = $1, lease_until = clock_timestamp() + $2 * interval '1 millisecond'
     WHERE position = ANY (ARRAY(
       SELECT position FROM outbox_pending AS row
       WHERE position > $4 AND attempts = 0 AND (lease_until < clock_timestamp() OR owner IN (SELECT owner FROM gone)) AND NOT ${IS_BEHIND_FAILED}
       ORDER BY position LIMIT $3 FOR UPDATE SKIP LOCKED
     ))
     RETURNING position, command_id
   ), abandoned AS (
     UPDATE unanswered SET owner = NULL WHERE command_id IN (
       SELECT command_id FROM unanswered WHERE command_id IN (SELECT command_id FROM claimed) ORDER BY command_id FOR UPDATE
     )
   )
   SELECT ${EVENT_COLUMNS} FROM journal WHERE position IN (SELECT position FROM claimed) ORDER BY position`,
);

/**
 * Parameters: positions and ids of events. After a failover another event may have the position of a lost one, and the
 * graph lacks it. One notification for all rows: each notification takes a lock on the whole cluster for its commit.
 */
const FINISH = statement(
  journalMigrations,
  'finish_pending',
  `WITH finished AS (
     DELETE FROM outbox_pending WHERE position = ANY (ARRAY(
       SELECT position FROM outbox_pending WHERE position = ANY (ARRAY(
         SELECT position FROM journal WHERE position = ANY ($1) AND event_id = ANY ($2::uuid[])
       )) ORDER BY position + 0 FOR UPDATE
     ))
     RETURNING 1
   )
   SELECT pg_notify('${APPLIED_CHANNEL}', '') FROM (SELECT count(*) AS count FROM finished) AS total WHERE count > 0`,
);

const RELEASE = statement(
  journalMigrations,
  'release_pending',
  `UPDATE outbox_pending SET lease_until = clock_timestamp() WHERE position = ANY (ARRAY(
     SELECT position FROM outbox_pending WHERE position = ANY ($1) ORDER BY position + 0 FOR UPDATE
   ))`,
);

export type Claim = {
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
  /** No row without a failed attempt is at or below this position (`PendingBound`). */
  readonly after: number;
};

/** An event that Postgres committed and the graph lacks. */
export type PendingEvent = {
  readonly event: RecordedEvent;
  /** Failed attempts of the graph. */
  readonly attempts: number;
  /** The id of its dead letter of the commit. */
  readonly letter: number | null;
};

/** Returns events in position order, as all functions of this file do. Also the dead letters of the commit. */
export async function pendingOfSubjects(
  postgres: Queryable,
  subjects: readonly string[],
): Promise<readonly PendingEvent[]> {
  if (subjects.length === 0) return [];
  return (await postgres.query<Row>(OF_SUBJECTS, [subjects])).rows.flatMap(pendingEvent);
}

export type EventsOfRanges = { readonly events: readonly RecordedEvent[]; readonly pending: readonly PendingEvent[] };

export async function eventsOfRanges(postgres: Queryable, ranges: readonly PositionRange[]): Promise<EventsOfRanges> {
  if (ranges.length === 0) return { events: [], pending: [] };
  const { rows } = await postgres.query<Row>(OF_RANGES, [
    ranges.map(({ first }) => first),
    ranges.map(({ last }) => last),
  ]);
  return { events: rows.map(recordedEvent), pending: rows.flatMap(pendingEvent) };
}

function pendingEvent(row: Row): readonly PendingEvent[] {
  const { attempts, letter } = row as { readonly attempts: number | null; readonly letter: number | null };
  return attempts === null && letter === null ? [] : [{ event: recordedEvent(row), attempts: attempts ?? 0, letter }];
}

/**
 * Claims events without a failed attempt whose owner is gone or whose lease expired, for one lease of the given owner.
 */
export async function claimOverdue(
  postgres: Queryable,
  { owner, leaseMs, limit, after }: Claim,
): Promise<readonly RecordedEvent[]> {
  return (await postgres.query<Row>(CLAIM, [owner, leaseMs, limit, after])).rows.map(recordedEvent);
}

/** Removes the pending rows of events that are in the graph. */
export async function finishPending(postgres: Queryable, events: readonly EventAddress[]): Promise<void> {
  if (events.length > 0) await postgres.query(FINISH, positionsAndIds(events));
}

/** Ends the leases, so that any process can claim the rows immediately. */
export async function releasePending(postgres: Queryable, positions: readonly number[]): Promise<void> {
  if (positions.length > 0) await postgres.query(RELEASE, [positions]);
}
