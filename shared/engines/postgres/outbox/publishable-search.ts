/**
 * Finds the events that the relay may publish. It remembers which rows of the outbox can still exist, and asks for
 * these rows only: deleted rows stay in the index while any transaction has an old snapshot (500,000 of them: 75 ms for
 * a search instead of 1).
 */
import { type Queryable, statement } from '../connection/postgres.js';
import { DEAD_KEYS, journalMigrations } from '../schema/journal.js';
import { type BoundExpiryDeps, createBoundExpiry } from './bound-expiry.js';
import { HELD_LIMIT } from './outbox-window.js';

/**
 * Limit of the data in one page, in addition to the limit in events. A single larger event is still returned, so that
 * it is published.
 */
const BYTES_LIMIT = 8 * 1024 * 1024;

/**
 * Parameters: position, limit, the held rows up to the bound, the bound. The limit is in the inner query, so that
 * Postgres never sorts a backlog of millions, whatever plan it chooses. An event is held while it, or an earlier event
 * of its key, is pending or has a dead letter. Without such rows the page is one row with the head of the
 * journal. Each pending row has a row in the outbox, so the bound and the list of held rows limit the search of both
 * tables.
 */
const PAGE = statement(
  journalMigrations,
  'outbox_page',
  `WITH waiting AS MATERIALIZED (
     SELECT position, true AS is_listed FROM outbox WHERE position = ANY ($3::bigint[])
     UNION ALL (SELECT position, false FROM outbox WHERE position > $1 ORDER BY position LIMIT $2)
   ), held AS MATERIALIZED (
     SELECT partition_key, min(since) AS since
     FROM (
       SELECT partition_key, position AS since FROM outbox_pending WHERE position = ANY ($3::bigint[])
       UNION ALL SELECT partition_key, position FROM outbox_pending WHERE position > $4
       UNION ALL (${DEAD_KEYS})
     ) AS unapplied
     GROUP BY partition_key
   )
   SELECT head, page.* FROM (SELECT coalesce((SELECT position FROM journal ORDER BY position DESC LIMIT 1), 0) AS head) AS journal_head LEFT JOIN (
     SELECT position, is_listed, partition_key, coalesce(octet_length(data), 0) AS bytes, coalesce(held.since <= position, false) AS is_held
     FROM waiting JOIN journal USING (position) LEFT JOIN held USING (partition_key)
   ) AS page ON true
   ORDER BY page.position`,
);

type EmptyPage = { readonly head: number; readonly position: null };
type PageRow = {
  /** The head of the journal. */
  readonly head: number;
  readonly position: number;
  readonly is_listed: boolean;
  readonly partition_key: string;
  readonly bytes: number;
  readonly is_held: boolean;
};

export interface PublishableSearch {
  /** Positions of events to publish, in order. */
  find(queryable: Queryable, limit: number): Promise<readonly number[]>;
  /** Starts again without knowledge. */
  forget(): void;
}

export function createPublishableSearch(deps: BoundExpiryDeps): PublishableSearch {
  const expiry = createBoundExpiry(deps);
  /**
   * Rows up to the bound are in `held` or do not exist. New rows are above it, because rows become visible in order.
   */
  let bound = 0;
  let held: readonly number[] = [];

  function forget(): void {
    bound = 0;
    held = [];
  }

  /** Raises the bound over the rows that are held at the beginning of the first page. */
  function remember(head: number, { listed, above, isEnd }: Page): void {
    // The journal was restored from a backup.
    if (head < bound) return forget();
    const capacity = HELD_LIMIT - listed.length;
    const end = above.findIndex((row, index) => !row.is_held || index >= capacity);
    const passed = end === -1 ? above : above.slice(0, end);
    held = [...listed, ...passed].map(({ position }) => position);
    const next = above[passed.length];
    if (next) bound = next.position - 1;
    else bound = isEnd ? head : (passed.at(-1)?.position ?? bound);
  }

  return {
    find: async (queryable, limit) => {
      if (expiry.isOver()) forget();
      const chosen: number[] = [];
      // A key stays held for all pages: its earlier event may become applied in between.
      const heldKeys = new Set<string>();
      const [start, list] = [bound, held];
      let bytes = 0;
      for (let after = start; ;) {
        const isFirst = after === start;
        const asked = [after, limit, isFirst ? list : [], start];
        const found = (await queryable.query<PageRow | EmptyPage>(PAGE, asked)).rows;
        const rows = found.filter((row) => row.position !== null);
        const page = pageOf(rows, limit);
        if (isFirst) remember(found[0]?.head ?? 0, page);
        for (const row of rows) {
          if (row.is_held) heldKeys.add(row.partition_key);
          if (heldKeys.has(row.partition_key)) continue;
          bytes += row.bytes;
          if (chosen.length > 0 && bytes > BYTES_LIMIT) return chosen;
          if (chosen.push(row.position) === limit) return chosen;
        }
        const last = page.above.at(-1);
        if (!last || page.isEnd) return chosen;
        after = last.position;
      }
    },
    forget,
  };
}

/** `isEnd`: no row is above this page. */
type Page = { readonly listed: readonly PageRow[]; readonly above: readonly PageRow[]; readonly isEnd: boolean };

function pageOf(rows: readonly PageRow[], limit: number): Page {
  const above = rows.filter((row) => !row.is_listed);
  return { listed: rows.filter((row) => row.is_listed), above, isEnd: above.length < limit };
}
