/** The outbox of the relay in Postgres. One relay leads, by a lock that ends with its session, and reads only on that session while it leads. */
import type { Logger } from '../../kernel/logger.js';
import type { HeldLock } from '../../postgres/hold-lock.js';
import { type Postgres, type Queryable, type Row, statement } from '../../postgres/postgres.js';
import type { Outbox } from '../outbox.js';
import { recordedEvent } from '../recorded-event.js';
import { acquireLeadership } from './acquire-leadership.js';
import { createAppliedListener } from './applied-listener.js';
import { DEAD_KEYS } from './commit-retries.js';
import { EVENT_COLUMNS } from './event-rows.js';
import { journalMigrations } from './migrations.js';
import { createPostgresOutboxReader } from './postgres-outbox-reader.js';

/** Limit of the data in one page, in addition to the limit in events. A single larger event is still returned, so that it is published. */
const BYTES_LIMIT = 8 * 1024 * 1024;

/**
 * Parameters: position, limit. The limit is in the inner query, so that Postgres never sorts a backlog of millions, whatever plan it chooses.
 * An event is held while it, or an earlier event of its key, is pending or a dead letter of the commit.
 */
const PAGE = statement(
  journalMigrations,
  'outbox_page',
  `WITH waiting AS MATERIALIZED (
     SELECT position FROM outbox WHERE position > $1 ORDER BY position LIMIT $2
   ), held AS MATERIALIZED (
     SELECT partition_key, min(since) AS since
     FROM (SELECT partition_key, position AS since FROM outbox_pending UNION ALL (${DEAD_KEYS})) AS unapplied
     GROUP BY partition_key
   )
   SELECT position, partition_key, coalesce(octet_length(data), 0) AS bytes, coalesce(held.since <= position, false) AS is_held
   FROM waiting JOIN journal USING (position) LEFT JOIN held USING (partition_key)
   ORDER BY position`,
);

const EVENTS = statement(
  journalMigrations,
  'outbox_events',
  `SELECT ${EVENT_COLUMNS} FROM journal WHERE position = ANY ($1) ORDER BY position`,
);

const PUBLISHED = statement(journalMigrations, 'outbox_published', 'DELETE FROM outbox WHERE position = ANY ($1)');

type PageRow = {
  readonly position: number;
  readonly partition_key: string;
  readonly bytes: number;
  readonly is_held: boolean;
};

export type PostgresOutboxDeps = {
  readonly postgres: Postgres;
  readonly logger: Logger;
  /** How long a leader may hang before the server ends its leadership. */
  readonly leaseMs: number;
};

export function createPostgresOutbox({
  postgres,
  logger,
  leaseMs,
}: PostgresOutboxDeps): Outbox & { close(): Promise<void> } {
  const listener = createAppliedListener({ postgres, logger });
  let lead: HeldLock | null = null;
  /**
   * Up to this position the outbox is empty and stays empty, because rows become visible in order. A search begins after it, because deleted
   * rows stay in the index while any transaction has an old snapshot (300,000 of them: 5.5 ms for a search instead of 0.8).
   */
  let emptyUpTo = 0;
  let lastPublished = 0;

  async function selectPublishable(queryable: Queryable, limit: number): Promise<readonly number[]> {
    const chosen: number[] = [];
    // A key stays held for all pages: its earlier event may become applied in between.
    const heldKeys = new Set<string>();
    let bytes = 0;
    for (let after = emptyUpTo; ;) {
      const { rows } = await queryable.query<PageRow>(PAGE, [after, limit]);
      if (after === emptyUpTo) emptyUpTo = rows[0] ? rows[0].position - 1 : Math.max(emptyUpTo, lastPublished);
      for (const row of rows) {
        if (row.is_held) heldKeys.add(row.partition_key);
        if (heldKeys.has(row.partition_key)) continue;
        bytes += row.bytes;
        if (chosen.length > 0 && bytes > BYTES_LIMIT) return chosen;
        if (chosen.push(row.position) === limit) return chosen;
      }
      const last = rows.at(-1);
      if (!last || rows.length < limit) return chosen;
      after = last.position;
    }
  }

  async function resign(): Promise<void> {
    await lead?.release();
    lead = null;
  }

  return {
    ...createPostgresOutboxReader({ postgres }),
    lead: async (signal) => {
      const { held, epoch } = await acquireLeadership({ postgres, logger, leaseMs }, signal);
      lead = held;
      // Other processes may have led since, so the earlier knowledge of the outbox is outdated.
      emptyUpTo = lastPublished = 0;
      return { lost: held.lost, epoch, resign };
    },
    applied: async ({ limit }) => {
      const queryable = lead?.session ?? postgres;
      const positions = await selectPublishable(queryable, limit);
      return positions.length === 0 ? [] : (await queryable.query<Row>(EVENTS, [positions])).rows.map(recordedEvent);
    },
    published: async (positions) => {
      await postgres.query(PUBLISHED, [positions]);
      lastPublished = positions.reduce((last, position) => Math.max(last, position), lastPublished);
    },
    onApplied: listener.listen,
    close: async () => {
      await listener.close();
      await resign();
    },
  };
}
