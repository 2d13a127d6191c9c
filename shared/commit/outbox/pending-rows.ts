/** Pending rows of the outbox: events that Postgres committed and the graph may lack. The statements find, claim and finish them. */
import type { RecordedEvent } from '../../contract/events.js';
import { APPLIED_CHANNEL } from '../../journal/postgres/applied-listener.js';
import { EVENT_COLUMNS } from '../../journal/postgres/event-rows.js';
import { journalMigrations } from '../../journal/postgres/migrations.js';
import { recordedEvent } from '../../journal/recorded-event.js';
import { type Postgres, type Queryable, type Row, statement } from '../../postgres/postgres.js';
import type { PositionRange } from './judge-group.js';

const OF_SUBJECTS = statement(
  journalMigrations,
  'pending_of_subjects',
  `SELECT ${EVENT_COLUMNS} FROM journal WHERE position IN (SELECT position FROM outbox_pending WHERE subject = ANY ($1)) ORDER BY position`,
);

const OF_RANGES = statement(
  journalMigrations,
  'events_of_ranges',
  `SELECT ${EVENT_COLUMNS}, EXISTS (SELECT FROM outbox_pending AS pending WHERE pending.position = journal.position) AS is_pending
   FROM journal JOIN unnest($1::bigint[], $2::bigint[]) AS wanted (first, last) ON position BETWEEN first AND last
   ORDER BY position`,
);

/**
 * Parameters: owner, lease in ms, limit. Skips rows that another process is claiming at the moment. An owner whose lease expired, or
 * whose process is gone, will not answer its commands either, so they become abandoned. Statements that lock several rows lock them in
 * order, which prevents deadlocks.
 */
const CLAIM = statement(
  journalMigrations,
  'claim_overdue',
  `WITH gone AS MATERIALIZED (
     SELECT owner FROM (SELECT DISTINCT owner FROM outbox_pending WHERE owner <> $1) AS others WHERE owner_is_gone(owner, 0)
   ), claimed AS (
     UPDATE outbox_pending SET owner = $1, lease_until = clock_timestamp() + $2 * interval '1 millisecond'
     WHERE position IN (
       SELECT position FROM outbox_pending WHERE lease_until < clock_timestamp() OR owner IN (SELECT owner FROM gone)
       ORDER BY position LIMIT $3 FOR UPDATE SKIP LOCKED
     )
     RETURNING position, command_id
   ), abandoned AS (
     UPDATE unanswered SET owner = NULL WHERE command_id IN (
       SELECT command_id FROM unanswered WHERE command_id IN (SELECT command_id FROM claimed) ORDER BY command_id FOR UPDATE
     )
   )
   SELECT ${EVENT_COLUMNS} FROM journal WHERE position IN (SELECT position FROM claimed) ORDER BY position`,
);

/** One notification for all rows: each notification takes a lock on the whole cluster for its commit. */
const FINISH = statement(
  journalMigrations,
  'finish_pending',
  `WITH finished AS (
     DELETE FROM outbox_pending WHERE position IN (SELECT position FROM outbox_pending WHERE position = ANY ($1) ORDER BY position FOR UPDATE)
     RETURNING 1
   )
   SELECT pg_notify('${APPLIED_CHANNEL}', '') FROM (SELECT count(*) AS count FROM finished) AS total WHERE count > 0`,
);

const RELEASE = statement(
  journalMigrations,
  'release_pending',
  `UPDATE outbox_pending SET lease_until = clock_timestamp() WHERE position IN (
     SELECT position FROM outbox_pending WHERE position = ANY ($1) ORDER BY position FOR UPDATE
   )`,
);

const COUNT = statement(journalMigrations, 'count_pending', 'SELECT count(*) AS count FROM outbox_pending');

export type Claim = { readonly owner: string; readonly leaseMs: number; readonly limit: number };

/** Returns events in position order, as all functions of this file do. */
export async function pendingOfSubjects(
  postgres: Queryable,
  subjects: readonly string[],
): Promise<readonly RecordedEvent[]> {
  if (subjects.length === 0) return [];
  return (await postgres.query<Row>(OF_SUBJECTS, [subjects])).rows.map(recordedEvent);
}

export type EventsOfRanges = { readonly events: readonly RecordedEvent[]; readonly pending: readonly RecordedEvent[] };

export async function eventsOfRanges(postgres: Queryable, ranges: readonly PositionRange[]): Promise<EventsOfRanges> {
  if (ranges.length === 0) return { events: [], pending: [] };
  const { rows } = await postgres.query<Row>(OF_RANGES, [
    ranges.map(({ first }) => first),
    ranges.map(({ last }) => last),
  ]);
  return {
    events: rows.map(recordedEvent),
    pending: rows.filter((row) => row['is_pending'] === true).map(recordedEvent),
  };
}

/** Claims events whose owner is gone or whose lease expired, for one lease of the given owner. */
export async function claimOverdue(
  postgres: Queryable,
  { owner, leaseMs, limit }: Claim,
): Promise<readonly RecordedEvent[]> {
  return (await postgres.query<Row>(CLAIM, [owner, leaseMs, limit])).rows.map(recordedEvent);
}

/** Removes pending rows whose events are in the graph. */
export async function finishPending(postgres: Queryable, positions: readonly number[]): Promise<void> {
  if (positions.length > 0) await postgres.query(FINISH, [positions]);
}

/** Ends the leases, so that any process can claim the rows immediately. */
export async function releasePending(postgres: Queryable, positions: readonly number[]): Promise<void> {
  if (positions.length > 0) await postgres.query(RELEASE, [positions]);
}

export async function countPending(postgres: Pick<Postgres, 'query'>): Promise<number> {
  const {
    rows: [row],
  } = await postgres.query<{ count: number }>(COUNT);
  return row?.count ?? 0;
}
