/** Reads the outbox in Postgres for processes that do not publish. */
import { COMMIT_LETTERS } from '../../contract/projector-names.js';
import { type Postgres, statement } from '../../postgres/postgres.js';
import type { OutboxReader } from '../outbox.js';
import { DEAD_KEYS, IS_LIVE } from './commit-retries.js';
import { journalMigrations } from './migrations.js';

const DEPTH = statement(
  journalMigrations,
  'outbox_depth',
  `WITH dead AS MATERIALIZED (${DEAD_KEYS})
   SELECT (SELECT count(*) FROM outbox) AS waiting, (SELECT count(*) FROM outbox_pending) AS pending,
     coalesce((SELECT extract(epoch FROM clock_timestamp() - recorded_at) * 1000 FROM outbox WHERE ${IS_LIVE} ORDER BY position LIMIT 1), 0)::float8 AS oldest_ms,
     (SELECT count(*) FROM dead_letters WHERE projector = '${COMMIT_LETTERS}') AS dead,
     coalesce((SELECT extract(epoch FROM clock_timestamp() - recorded_at) * 1000 FROM journal WHERE position = (SELECT min(since) FROM dead)), 0)::float8 AS oldest_dead_ms`,
);

/**
 * One statement has one snapshot: rows of both tables become visible together, in the order of their positions. Events that a dead letter of
 * the commit holds back do not count: they come later, and may come much later.
 */
const PUBLISHED_THROUGH = statement(
  journalMigrations,
  'outbox_published_through',
  `WITH dead AS MATERIALIZED (${DEAD_KEYS})
   SELECT coalesce(
     (SELECT position - 1 FROM outbox WHERE ${IS_LIVE} ORDER BY position LIMIT 1),
     (SELECT position FROM journal ORDER BY position DESC LIMIT 1),
     0
   ) AS position`,
);

/** One snapshot, as above: a row is pending from the commit of its event. */
const APPLIED_THROUGH = statement(
  journalMigrations,
  'outbox_shown_through',
  `SELECT coalesce(
     (SELECT position - 1 FROM outbox_pending ORDER BY position LIMIT 1),
     (SELECT position FROM journal ORDER BY position DESC LIMIT 1),
     0
   ) AS position`,
);

type DepthRow = {
  readonly waiting: number;
  readonly pending: number;
  readonly oldest_ms: number;
  readonly dead: number;
  readonly oldest_dead_ms: number;
};

export function createPostgresOutboxReader({ postgres }: { readonly postgres: Postgres }): OutboxReader {
  return {
    depth: async () => {
      const {
        rows: [row],
      } = await postgres.query<DepthRow>(DEPTH);
      if (!row) throw new Error('The depth of the outbox has no row');
      const { waiting, pending, dead } = row;
      return {
        pending,
        applied: Math.max(0, waiting - pending - dead),
        oldestMs: row.oldest_ms,
        dead,
        oldestDeadMs: row.oldest_dead_ms,
      };
    },
    publishedThrough: async () => {
      const {
        rows: [row],
      } = await postgres.query<{ position: number }>(PUBLISHED_THROUGH);
      return row?.position ?? 0;
    },
    appliedThrough: async () => {
      const {
        rows: [row],
      } = await postgres.query<{ position: number }>(APPLIED_THROUGH);
      return row?.position ?? 0;
    },
  };
}
