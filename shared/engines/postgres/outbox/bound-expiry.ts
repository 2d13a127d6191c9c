/**
 * Decides when a process must forget what it remembers of the outbox. After a failover to a standby that lagged, the
 * deletes of some rows are lost: the rows are there again, below the remembered bound. So a bound expires with each
 * lost connection, and after EXPIRY_MS, because a pooler may hide a failover from its clients.
 */
import type { Postgres } from '../connection/postgres.js';

/** A query without a bound takes 20 to 306 ms with 500,000 dead rows, so it may run once a minute. */
export const EXPIRY_MS = 60_000;

export type BoundExpiryDeps = {
  readonly postgres: Pick<Postgres, 'lostConnections'>;
  /** A clock that never goes back, in ms. */
  readonly monotonicMs?: () => number;
};

export interface BoundExpiry {
  /** True once after each expiry: the next query starts at 0. Ask before each query. */
  isOver(): boolean;
}

export function createBoundExpiry({ postgres, monotonicMs = () => performance.now() }: BoundExpiryDeps): BoundExpiry {
  let since = monotonicMs();
  let lost = postgres.lostConnections();
  return {
    isOver: () => {
      const [now, lostNow] = [monotonicMs(), postgres.lostConnections()];
      if (lostNow === lost && now - since < EXPIRY_MS) return false;
      [since, lost] = [now, lostNow];
      return true;
    },
  };
}
