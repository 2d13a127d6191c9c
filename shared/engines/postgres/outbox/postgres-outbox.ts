/**
 * The outbox of the relay in Postgres. One relay leads, by a lock that ends with its session, and reads and deletes on
 * that session while it leads. So nothing that it read from one server is deleted on another.
 */
import type { Logger } from '../../../kernel/logger.js';
import type { Outbox } from '../../../ports/outbox.js';
import { recordedEvent } from '../../sql/recorded-event.js';
import type { HeldLock } from '../connection/hold-lock.js';
import { type Postgres, type Row, statement } from '../connection/postgres.js';
import { EVENT_COLUMNS, positionsAndIds } from '../journal/event-rows.js';
import { journalMigrations } from '../schema/journal.js';
import { acquireLeadership } from './acquire-leadership.js';
import { createAppliedListener } from './applied-listener.js';
import { createPostgresOutboxReader } from './postgres-outbox-reader.js';
import { createPublishableSearch } from './publishable-search.js';

const EVENTS = statement(
  journalMigrations,
  'outbox_events',
  `SELECT ${EVENT_COLUMNS} FROM journal WHERE position = ANY ($1) ORDER BY position`,
);

/**
 * Parameters: positions and ids of events. After a failover another event may have the position of a lost one, and is
 * still to be published.
 */
const PUBLISHED = statement(
  journalMigrations,
  'outbox_published',
  `DELETE FROM outbox WHERE position = ANY (ARRAY(
     SELECT position FROM journal WHERE position = ANY ($1) AND event_id = ANY ($2::uuid[])
   ))`,
);

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
  const search = createPublishableSearch({ postgres });

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
      search.forget();
      return { lost: held.lost, epoch, confirm: async () => void (await held.session.query('SELECT 1')), resign };
    },
    applied: async ({ limit }) => {
      const queryable = lead?.session ?? postgres;
      const positions = await search.find(queryable, limit);
      return positions.length === 0 ? [] : (await queryable.query<Row>(EVENTS, [positions])).rows.map(recordedEvent);
    },
    published: async (events) => {
      await (lead?.session ?? postgres).query(PUBLISHED, positionsAndIds(events));
    },
    onApplied: listener.listen,
    close: async () => {
      await listener.close();
      await resign();
    },
  };
}
