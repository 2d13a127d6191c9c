/**
 * Remembers up to which position no event waits for its first attempt by the graph, and asks `outbox_pending` above it
 * only. Deleted rows stay in the table and its index while any transaction has an old snapshot, such as a dump: 500,000
 * of them cost each query 60 to 100 ms.
 *
 * The bound rises, because rows become visible in the order of their positions, and a row with a failed attempt never
 * returns to 0 attempts. It falls to 0 when it expires (`createBoundExpiry`). Rows with failed attempts may lie below
 * the bound: nearly none exists, and they have an index of their own.
 */
import { type Postgres, statement } from '../connection/postgres.js';
import { HEAD_AND_START, journalMigrations } from '../schema/journal.js';
import { type BoundExpiryDeps, createBoundExpiry } from './bound-expiry.js';

/** Parameters: the bound, how many rows to count at most. */
const QUERY = statement(
  journalMigrations,
  'look_at_pending',
  `WITH ${HEAD_AND_START}
   SELECT head,
     (SELECT position FROM outbox_pending WHERE position > start AND attempts = 0 ORDER BY position LIMIT 1) AS first,
     (SELECT count(*) FROM (
        SELECT FROM outbox_pending WHERE attempts > 0 UNION ALL (SELECT FROM outbox_pending WHERE position > start AND attempts = 0 LIMIT $2) LIMIT $2
      ) AS counted) AS count
   FROM head_and_start`,
);

type QueryRow = {
  readonly head: number;
  readonly first: number | null;
  readonly count: number;
};

export interface PendingBound {
  /** Raises the bound. Returns the number of pending rows, at most `countLimit`. */
  query(options: { readonly countLimit: number }): Promise<number>;
  /** No pending row without a failed attempt is at or below this position. */
  readonly after: () => number;
}

export function createPendingBound(
  deps: BoundExpiryDeps & { readonly postgres: Pick<Postgres, 'query'> },
): PendingBound {
  const expiry = createBoundExpiry(deps);
  let known = { bound: 0 };
  return {
    query: async ({ countLimit }) => {
      if (expiry.isOver()) known = { bound: 0 };
      const asked = known;
      const {
        rows: [row],
      } = await deps.postgres.query<QueryRow>(QUERY, [asked.bound, countLimit]);
      if (!row) throw new Error('The query of pending rows has no row');
      const { head, first, count } = row;
      // An answer from before the expiry raises nothing, because `known` is another object then.
      asked.bound = raisedBound(asked.bound, { head, to: (first ?? head + 1) - 1 });
      return count;
    },
    after: () => known.bound,
  };
}

/**
 * Answers may arrive out of order, so no answer lowers a bound; but above the head of a restored journal it means
 * nothing.
 */
export function raisedBound(bound: number, { head, to }: { readonly head: number; readonly to: number }): number {
  return head < bound ? to : Math.max(bound, to);
}
