/** The outbox as the relay sees it. One relay leads, by a lock that ends with its session; while it leads it reads on that session alone. */
import type { Logger } from '../../kernel/logger.js';
import type { HeldLock } from '../../postgres/hold-lock.js';
import { statement, type Postgres, type Queryable, type Row } from '../../postgres/postgres.js';
import type { Outbox } from '../outbox.js';
import { createAppliedListener } from './create-applied-listener.js';
import { createPostgresOutboxReader } from './create-postgres-outbox-reader.js';
import { EVENT_COLUMNS } from './event-rows.js';
import { leadRelay } from './lead-relay.js';
import { journalMigrations } from './migrations.js';
import { recordedEvent } from '../recorded-event.js';

/** Of the data that one search brings, beside its limit in events; one event more than fits is not left out for ever. */
const BYTES_LIMIT = 8 * 1024 * 1024;

/**
 * Position, limit. The limit stands inside, so that a backlog of millions is never sorted whatever the planner believes of it. An event
 * is held while its key has an earlier one pending, or is pending itself.
 */
const PAGE = statement(
  journalMigrations,
  'outbox_page',
  `WITH waiting AS MATERIALIZED (
     SELECT position FROM outbox WHERE position > $1 ORDER BY position LIMIT $2
   ), held AS MATERIALIZED (
     SELECT partition_key, min(position) AS since FROM outbox_pending GROUP BY partition_key
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
  /** How long a leader may stand still before the server takes the lead from it. */
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
   * No row is left up to here, nor will be: rows become visible in order. A search begins behind it, because removed rows stay in the index
   * as long as anybody holds an old snapshot (300,000 of them: 5.5 ms a search instead of 0.8).
   */
  let emptyUpTo = 0;
  let lastPublished = 0;

  async function choose(queryable: Queryable, limit: number): Promise<readonly number[]> {
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
      const { held, epoch } = await leadRelay({ postgres, logger, leaseMs }, signal);
      lead = held;
      // Whatever this process knew of the outbox, others have led since.
      emptyUpTo = lastPublished = 0;
      return { lost: held.lost, epoch, resign };
    },
    applied: async ({ limit }) => {
      const queryable = lead?.session ?? postgres;
      const positions = await choose(queryable, limit);
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
