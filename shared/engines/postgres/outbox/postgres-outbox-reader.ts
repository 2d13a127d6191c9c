/** Reads the outbox in Postgres for processes that do not publish. */
import { COMMIT_LETTERS } from '../../../contract/projector-names.js';
import type { OutboxReader } from '../../../ports/outbox.js';
import { type Postgres, statement } from '../connection/postgres.js';
import { DEAD_KEYS, IS_HELD_LETTER, journalMigrations } from '../schema/journal.js';
import { createOutboxWindow } from './outbox-window.js';
import { createPendingBound } from './pending-bound.js';

/**
 * Rows that a depth counts at most in a table: a day without Kafka leaves millions, and health checks count them every
 * few seconds.
 */
const DEPTH_LIMIT = 100_000;

/**
 * Parameters: the bound and the list of the outbox, the bound of pending rows. One snapshot, so that the counts agree
 * with each other.
 */
const DEPTH = statement(
  journalMigrations,
  'outbox_depth',
  `SELECT
     (SELECT count(*) FROM (
        SELECT FROM outbox WHERE position = ANY ($2::bigint[])
        UNION ALL (SELECT FROM outbox WHERE position > $1 LIMIT ${DEPTH_LIMIT})
      ) AS counted) AS waiting,
     (SELECT count(*) FROM (
        SELECT FROM outbox_pending WHERE attempts > 0
        UNION ALL (SELECT FROM outbox_pending WHERE position > $3 AND attempts = 0 LIMIT ${DEPTH_LIMIT})
      ) AS counted) AS pending,
     (SELECT count(*) FROM dead_letters WHERE ${IS_HELD_LETTER}) AS dead,
     coalesce((
       SELECT extract(epoch FROM clock_timestamp() - recorded_at) * 1000 FROM journal WHERE position = (SELECT min(since) FROM (${DEAD_KEYS}) AS dead)
     ), 0)::float8 AS oldest_dead_ms`,
);

/** Parameter: positions. */
const UNAPPLIED = statement(
  journalMigrations,
  'unapplied_events',
  `SELECT position FROM outbox_pending WHERE position = ANY ($1::bigint[])
   UNION ALL SELECT position FROM dead_letters WHERE projector = '${COMMIT_LETTERS}' AND position = ANY ($1::bigint[])`,
);

type DepthRow = {
  readonly waiting: number;
  readonly pending: number;
  readonly dead: number;
  readonly oldest_dead_ms: number;
};

export function createPostgresOutboxReader({ postgres }: { readonly postgres: Postgres }): OutboxReader {
  const pending = createPendingBound({ postgres });
  const outbox = createOutboxWindow({ postgres });
  return {
    depth: async () => {
      // Both queries raise the bounds of the counts.
      const [{ oldestMs }] = [await outbox.query(), await pending.query({ countLimit: 0 })];
      const { bound, held } = outbox.rows();
      const [row] = (await postgres.query<DepthRow>(DEPTH, [bound, held, pending.after()])).rows;
      if (!row) throw new Error('The depth of the outbox has no row');
      return {
        pending: row.pending,
        applied: Math.max(0, row.waiting - row.pending - row.dead),
        oldestMs,
        dead: row.dead,
        oldestDeadMs: row.oldest_dead_ms,
      };
    },
    publishedThrough: async () => (await outbox.query()).published,
    unapplied: async (positions) => {
      const { rows } = await postgres.query<{ readonly position: number }>(UNAPPLIED, [positions]);
      return new Set(rows.map(({ position }) => position));
    },
  };
}
