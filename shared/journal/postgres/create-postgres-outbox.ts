/** The outbox as the relay sees it. One relay leads, by a lock that ends with its session; while it leads it reads on that session alone. */
import type { RecordedEvent } from '../../contract/events.js';
import type { Logger } from '../../kernel/logger.js';
import type { HeldLock } from '../../postgres/hold-lock.js';
import { statement, type Postgres, type Queryable, type Row } from '../../postgres/postgres.js';
import type { Outbox } from '../outbox.js';
import { createAppliedListener } from './create-applied-listener.js';
import { createPostgresOutboxReader } from './create-postgres-outbox-reader.js';
import { EVENT_COLUMNS, recordedEvent } from './event-rows.js';
import { leadRelay } from './lead-relay.js';
import { journalMigrations } from './migrations.js';

/** Of what one search brings, beside its limit in events. */
const PAGE_BYTES = 8 * 1024 * 1024;

/**
 * Position, limit. The limit stands inside, so that a backlog of millions is never sorted whatever the planner believes of it. An event
 * is held while its key has an earlier one pending, or is pending itself.
 */
const PAGE = statement(
  journalMigrations,
  'outbox_page',
  `WITH waiting AS MATERIALIZED (SELECT position FROM outbox WHERE position > $1 ORDER BY position LIMIT $2)
   SELECT * FROM (
     SELECT ${EVENT_COLUMNS},
       sum(coalesce(octet_length(data), 0)) OVER (ORDER BY position) - coalesce(octet_length(data), 0) AS bytes_before,
       EXISTS (
         SELECT FROM outbox_pending AS pending WHERE pending.partition_key = journal.partition_key AND pending.position <= journal.position
       ) AS is_held
     FROM waiting JOIN journal USING (position)
   ) AS page WHERE bytes_before < ${PAGE_BYTES} ORDER BY position`,
);

const PUBLISHED = statement(journalMigrations, 'outbox_published', 'DELETE FROM outbox WHERE position = ANY ($1)');

export type PostgresOutboxDeps = {
  readonly postgres: Postgres;
  readonly logger: Logger;
  /** How long a leader may stand still before the server takes the lead from it. */
  readonly leaseMs: number;
};

export function createPostgresOutbox({ postgres, logger, leaseMs }: PostgresOutboxDeps): Outbox & { close(): Promise<void> } {
  const listener = createAppliedListener({ postgres, logger });
  let lead: HeldLock | null = null;
  /**
   * No row is left up to here, nor will be: rows become visible in order. A search begins behind it, because removed rows stay in the index
   * as long as anybody holds an old snapshot (300,000 of them: 5.5 ms a search instead of 0.8).
   */
  let emptyUpTo = 0;
  let lastPublished = 0;

  async function applied(queryable: Queryable, limit: number): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    // A key stays held for all pages: its earlier event may become applied in between.
    const heldKeys = new Set<string>();
    for (let after = emptyUpTo; ; ) {
      const rows = await page(queryable, after, limit);
      const [first] = rows;
      if (after === emptyUpTo) emptyUpTo = first ? first.event.position - 1 : Math.max(emptyUpTo, lastPublished);
      for (const { event, isHeld } of rows) {
        if (isHeld || heldKeys.has(event.partitionKey)) heldKeys.add(event.partitionKey);
        else if (events.length < limit) events.push(event);
      }
      const last = rows.at(-1);
      // A page is shorter than its limit at the end of the outbox, or cut by its bytes: either way it is enough for now.
      if (!last || rows.length < limit || events.length === limit) return events;
      after = last.event.position;
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
    applied: ({ limit }) => applied(lead?.session ?? postgres, limit),
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

async function page(queryable: Queryable, after: number, limit: number): Promise<readonly { readonly event: RecordedEvent; readonly isHeld: boolean }[]> {
  const { rows } = await queryable.query<Row>(PAGE, [after, limit]);
  return rows.map((row) => ({ event: recordedEvent(row), isHeld: row['is_held'] === true }));
}
