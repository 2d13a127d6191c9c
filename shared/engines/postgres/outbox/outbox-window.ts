/**
 * Remembers which rows of `outbox` can still exist, and asks for these rows only: the rows above a lower bound, and a
 * short list of rows at or below it, which wait longer than usual, for example behind a dead letter.
 * Deleted rows stay in the table and its index while any transaction has an old snapshot, such as a dump: 500,000 of
 * them cost a query 60 to 200 ms.
 *
 * The bound rises, because rows become visible in the order of their positions, and falls to 0 when it expires
 * (`createBoundExpiry`). The rows of the list are asked for
 * by their positions, so a redriven dead letter is found although it is below the bound.
 */
import type { Published } from '../../../ports/outbox.js';
import { type Postgres, statement } from '../connection/postgres.js';
import { DEAD_KEYS, HEAD_AND_START, isFreeOf, journalMigrations } from '../schema/journal.js';
import { type BoundExpiryDeps, createBoundExpiry } from './bound-expiry.js';
import { raisedBound } from './pending-bound.js';

/** Rows of the list. With more waiting rows the bound does not rise. */
export const HELD_LIMIT = 1_000;
/** Younger rows are not listed: usually they are published soon. */
const HELD_AFTER = `interval '1 second'`;

/**
 * Parameters: the bound, the list, how many rows the list can take. One statement has one snapshot: rows of all tables
 * become visible together. `page`: the first rows above the bound, as many as the list can take. `passed`: the keys
 * whose events no position waits for: those of dead letters, and those of events that the graph failed to apply and
 * will be tried with again.
 */
const QUERY = statement(
  journalMigrations,
  'look_at_outbox',
  `WITH ${HEAD_AND_START}, dead AS MATERIALIZED (${DEAD_KEYS}), passed AS MATERIALIZED (
     SELECT partition_key, min(since) AS since FROM (
       SELECT partition_key, since FROM dead
       UNION ALL SELECT partition_key, position FROM outbox_pending WHERE attempts > 0
     ) AS keys GROUP BY partition_key
   ), listed AS MATERIALIZED (
     SELECT position, recorded_at, ${isFreeOf('dead')} AS is_live, ${isFreeOf('passed')} AS is_awaited FROM outbox
     WHERE position = ANY ($2::bigint[]) AND position <= (SELECT start FROM head_and_start)
   ), first_live AS MATERIALIZED (
     SELECT recorded_at FROM outbox
     WHERE position > (SELECT start FROM head_and_start) AND ${isFreeOf('dead')} ORDER BY position LIMIT 1
   ), first_awaited AS MATERIALIZED (
     SELECT position FROM outbox
     WHERE position > (SELECT start FROM head_and_start) AND ${isFreeOf('passed')} ORDER BY position LIMIT 1
   ), page AS MATERIALIZED (
     SELECT position, recorded_at > clock_timestamp() - ${HELD_AFTER} AS is_young FROM outbox
     WHERE position > (SELECT start FROM head_and_start) ORDER BY position LIMIT $3
   )
   SELECT head, start,
     (SELECT min(position) FROM page WHERE is_young) AS young,
     least((SELECT min(position) FROM listed WHERE is_awaited), (SELECT position FROM first_awaited)) AS awaited,
     coalesce(extract(epoch FROM clock_timestamp() - least(
       (SELECT min(recorded_at) FROM listed WHERE is_live), (SELECT recorded_at FROM first_live)
     )) * 1000, 0)::float8 AS oldest_ms,
     (SELECT coalesce(json_agg(position ORDER BY position), '[]') FROM listed) AS listed,
     (SELECT coalesce(json_agg(position ORDER BY position), '[]') FROM page) AS page
   FROM head_and_start`,
);

type QueryRow = {
  readonly head: number;
  readonly start: number;
  readonly young: number | null;
  readonly awaited: number | null;
  readonly oldest_ms: number;
  readonly listed: readonly number[];
  readonly page: readonly number[];
};

export type OutboxState = {
  readonly published: Published;
  /** The age of the oldest row that no dead letter holds back, in ms; 0 without one. */
  readonly oldestMs: number;
};

export interface OutboxWindow {
  query(): Promise<OutboxState>;
  /** Every row is above the bound or in the list. */
  readonly rows: () => { readonly bound: number; readonly held: readonly number[] };
}

function publishedOf(row: QueryRow, { hasPage }: { readonly hasPage: boolean }): Published {
  const { head, start, awaited, listed, page } = row;
  const firstWaiting = listed[0] ?? page[0]; // the listed rows are below those of the page
  const withoutRows = hasPage ? head : start;
  return {
    position: awaited === null ? head : awaited - 1,
    complete: firstWaiting === undefined ? withoutRows : firstWaiting - 1,
  };
}

type Known = { readonly bound: number; readonly held: readonly number[] };
const NOTHING: Known = { bound: 0, held: [] };

export function createOutboxWindow(
  deps: BoundExpiryDeps & { readonly postgres: Pick<Postgres, 'query'> },
): OutboxWindow {
  const expiry = createBoundExpiry(deps);
  let known = NOTHING;

  function learn({ bound, held }: Known, row: QueryRow): Known {
    const { head, young, listed, page } = row;
    const last = page.length < HELD_LIMIT - held.length ? head : (page.at(-1) ?? row.start);
    const to = young === null ? last : young - 1;
    return { bound: raisedBound(bound, { head, to }), held: [...listed, ...page.filter((position) => position <= to)] };
  }

  return {
    query: async () => {
      if (expiry.isOver()) known = { ...NOTHING };
      const asked = known;
      const params = [asked.bound, asked.held, HELD_LIMIT - asked.held.length];
      const {
        rows: [row],
      } = await deps.postgres.query<QueryRow>(QUERY, params);
      if (!row) throw new Error('The query of the outbox has no row');
      // Otherwise a query that ran at the same time has learned more, or what this one asked with has expired.
      if (asked === known) known = learn(asked, row);
      return { published: publishedOf(row, { hasPage: asked.held.length < HELD_LIMIT }), oldestMs: row.oldest_ms };
    },
    rows: () => known,
  };
}
