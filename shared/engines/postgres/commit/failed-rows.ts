/**
 * Pending rows whose events the graph failed to apply: counts the attempts, claims the next attempt, and moves a row to
 * the dead letters of the commit after the last one. All times are of the database. After a failover another event may
 * have the position of a lost one, so the statements match the event id.
 */
import type { RecordedEvent } from '../../../contract/events.js';
import { COMMIT_LETTERS } from '../../../contract/projector-names.js';
import { codeOf, PalimpsestError, reportOf } from '../../../kernel/errors.js';
import type { EventAddress } from '../../../ports/outbox.js';
import { recordedEvent } from '../../sql/recorded-event.js';
import { type Queryable, type Row, statement } from '../connection/postgres.js';
import { EVENT_COLUMNS } from '../journal/event-rows.js';
import { APPLIED_CHANNEL } from '../outbox/applied-listener.js';
import { journalMigrations } from '../schema/journal.js';
import type { Rejected } from './apply-parts.js';
import type { CommitConfig } from './commit-variables.js';
import { type Claim, IS_BEHIND_FAILED } from './pending-rows.js';

/** Longer texts of errors are cut. */
const REASON_LENGTH = 1_000;
/** Keeps the exponential wait within the range of a double. */
const MAX_DOUBLINGS = 30;

/**
 * Parameters: positions, ids and reasons of failed events, first wait and longest wait in ms, whether further attempts
 * count. The first one always counts: it moves the row to the retries. Also ends the leases.
 */
const COUNT_FAILURE = statement(
  journalMigrations,
  'count_failure',
  `WITH failed AS MATERIALIZED (
     SELECT position FROM outbox_pending WHERE position = ANY (ARRAY(
       SELECT position FROM journal WHERE position = ANY ($1::bigint[]) AND event_id = ANY ($2::uuid[])
     )) ORDER BY position + 0 FOR UPDATE
   )
   UPDATE outbox_pending AS pending SET attempts = CASE WHEN $6 THEN attempts + 1 ELSE greatest(attempts, 1) END, last_error = given.reason, lease_until = clock_timestamp(),
     next_attempt_at = clock_timestamp()
       + least($5::float8, $4::float8 * power(2, least(attempts, ${MAX_DOUBLINGS}))) * interval '1 millisecond'
   FROM unnest($1::bigint[], $3::text[]) AS given (position, reason)
   WHERE pending.position = ANY (ARRAY(SELECT position FROM failed)) AND pending.position = given.position`,
);

/**
 * Parameter: most attempts. The later pending events of the subject follow, because they wait behind the dead letter.
 */
const BURY = statement(
  journalMigrations,
  'bury_pending',
  `WITH dead AS (
     DELETE FROM outbox_pending WHERE position = ANY (ARRAY(
       SELECT row.position FROM outbox_pending AS first
       JOIN outbox_pending AS row ON row.subject = first.subject AND row.position + 0 >= first.position
       WHERE first.attempts > 0 AND first.attempts >= $1
       ORDER BY row.position + 0 FOR UPDATE OF row
     ))
     RETURNING position, attempts, last_error
   )
   INSERT INTO dead_letters (projector, event_id, subject, type, version, position, reason, attempts, at)
   SELECT '${COMMIT_LETTERS}', event_id::text, subject, type, version, position, coalesce(last_error, 'waits for an earlier event of its subject'),
     attempts, to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
   FROM dead JOIN journal USING (position) ORDER BY position
   ON CONFLICT (projector, event_id) DO UPDATE SET reason = excluded.reason, attempts = excluded.attempts, at = excluded.at
   RETURNING id, subject, position`,
);

/** Parameters: owner, lease in ms. The event whose next attempt is due for the longest time. */
const CLAIM_FAILED = statement(
  journalMigrations,
  'claim_failed',
  `WITH claimed AS (
     UPDATE outbox_pending SET owner = $1, lease_until = clock_timestamp() + $2 * interval '1 millisecond'
     WHERE position = (
       SELECT position FROM outbox_pending AS row
       WHERE attempts > 0 AND next_attempt_at <= clock_timestamp() AND lease_until <= clock_timestamp() AND NOT ${IS_BEHIND_FAILED}
       ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED
     )
     RETURNING position
   )
   SELECT ${EVENT_COLUMNS} FROM journal WHERE position IN (SELECT position FROM claimed)`,
);

/** Parameters: ids of failed events, and reasons. */
const COUNT_DEAD_FAILURE = statement(
  journalMigrations,
  'count_dead_failure',
  `UPDATE dead_letters AS letter SET attempts = attempts + 1, reason = failed.reason
   FROM unnest($1::text[], $2::text[]) AS failed (event_id, reason)
   WHERE letter.projector = '${COMMIT_LETTERS}' AND letter.event_id = failed.event_id`,
);

/** Parameter: ids of events that the graph has now. Wakes the relay, which may publish them. */
const FINISH_DEAD = statement(
  journalMigrations,
  'finish_dead',
  `WITH finished AS (
     DELETE FROM dead_letters WHERE projector = '${COMMIT_LETTERS}' AND event_id = ANY ($1) RETURNING 1
   )
   SELECT pg_notify('${APPLIED_CHANNEL}', '') FROM (SELECT count(*) AS count FROM finished) AS total WHERE count > 0`,
);

export type BuriedEvent = { readonly id: number; readonly subject: string; readonly position: number };

/**
 * Counts a failed attempt for each event. Returns the events that it moved to the dead letters of the commit.
 * `isRefusing`: the failures are of the graph and not of the events, so none of them moves.
 */
export async function countFailures(
  postgres: Queryable,
  rejected: Rejected,
  {
    config: { maxAttempts, retryMinimumMs, retryMaximumMs },
    isRefusing,
  }: { readonly config: CommitConfig; readonly isRefusing: boolean },
): Promise<readonly BuriedEvent[]> {
  if (rejected.size === 0) return [];
  const { ids, reasons } = failuresOf(rejected);
  await postgres.query(COUNT_FAILURE, [
    [...rejected.keys()],
    ids,
    reasons,
    retryMinimumMs,
    retryMaximumMs,
    !isRefusing,
  ]);
  if (isRefusing) return [];
  return (await postgres.query<BuriedEvent>(BURY, [maxAttempts])).rows;
}

/** Claims one event whose next attempt is due, for one lease of the given owner. */
export async function claimFailed(
  postgres: Queryable,
  { owner, leaseMs }: Pick<Claim, 'owner' | 'leaseMs'>,
): Promise<RecordedEvent | undefined> {
  return (await postgres.query<Row>(CLAIM_FAILED, [owner, leaseMs])).rows.map(recordedEvent)[0];
}

export async function countDeadFailures(postgres: Queryable, rejected: Rejected): Promise<void> {
  if (rejected.size === 0) return;
  const { ids, reasons } = failuresOf(rejected);
  await postgres.query(COUNT_DEAD_FAILURE, [ids, reasons]);
}

/** Removes the dead letters of events that the graph has. */
export async function finishDead(postgres: Queryable, ids: readonly EventAddress['id'][]): Promise<void> {
  if (ids.length > 0) await postgres.query(FINISH_DEAD, [ids]);
}

function failuresOf(rejected: Rejected): { readonly ids: readonly string[]; readonly reasons: readonly string[] } {
  const failures = [...rejected.values()];
  return { ids: failures.map(({ id }) => id), reasons: failures.map(({ error }) => reasonOf(error)) };
}

/** With the code of the graph, because the text of a DependencyError is the same for all failures. */
function reasonOf(error: unknown): string {
  const code = error instanceof PalimpsestError ? codeOf(error.cause) : null;
  return `${reportOf(error)}${code === null ? '' : ` (${code})`}`.slice(0, REASON_LENGTH);
}
