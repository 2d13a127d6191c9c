/** Reads the outbox in Postgres for processes that do not publish. */
import { type Postgres, statement } from '../../postgres/postgres.js';
import type { OutboxReader } from '../outbox.js';
import { journalMigrations } from './migrations.js';

const DEPTH = statement(
  journalMigrations,
  'outbox_depth',
  `SELECT (SELECT count(*) FROM outbox) AS waiting, (SELECT count(*) FROM outbox_pending) AS pending,
     coalesce((SELECT extract(epoch FROM clock_timestamp() - recorded_at) * 1000 FROM outbox ORDER BY position LIMIT 1), 0)::float8 AS oldest_ms`,
);

/** One statement has one snapshot: rows of both tables become visible together, in the order of their positions. */
const PUBLISHED_THROUGH = statement(
  journalMigrations,
  'outbox_published_through',
  `SELECT coalesce(
     (SELECT position - 1 FROM outbox ORDER BY position LIMIT 1),
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

export function createPostgresOutboxReader({ postgres }: { readonly postgres: Postgres }): OutboxReader {
  return {
    depth: async () => {
      const {
        rows: [row],
      } = await postgres.query<{ waiting: number; pending: number; oldest_ms: number }>(DEPTH);
      const { waiting = 0, pending = 0, oldest_ms: oldestMs = 0 } = row ?? {};
      return { pending, applied: waiting - pending, oldestMs };
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
