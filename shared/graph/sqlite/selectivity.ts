/** How many rows a condition leaves, counted only as far as a plan depends on it. */
import type { MemoryFilter } from '../../contract/filter.js';
import type { Timestamp } from '../../contract/memory.js';
import type { Database, SqlValue } from '../../sqlite/database.js';

const IN_WINDOW = 'FROM memories INDEXED BY memories_by_timestamp WHERE present = 1 AND timestamp >= ? AND timestamp <= ?';

/** Counting in an index or in the full-text index costs 0.1 µs a row, where judging or ranking one costs 1 to 2. */
export function isAtMost(database: Database, limit: number, rows: { readonly sql: string; readonly params: readonly SqlValue[] }): boolean {
  const found = database.get(`SELECT count(*) AS found FROM (${rows.sql} LIMIT ${limit + 1})`, rows.params)?.['found'];
  return Number(found) <= limit;
}

export function isNarrowWindow(database: Database, filter: MemoryFilter, limit: number): boolean {
  return hasWindow(filter) && isAtMost(database, limit, { sql: `SELECT 1 ${IN_WINDOW}`, params: boundsOf(filter) });
}

/** First and last row number in the window; null when nothing is in it. Memories arrive about as they are dated, so the range is short. */
export function rowRange(database: Database, filter: MemoryFilter): readonly [first: number, last: number] | null {
  const range = database.get(`SELECT min(n) AS first, max(n) AS last ${IN_WINDOW}`, boundsOf(filter));
  return typeof range?.['first'] === 'number' && typeof range['last'] === 'number' ? [range['first'], range['last']] : null;
}

/**
 * Where what has lapsed may be found, by indexes that hold little: every recall asks, and mostly there is none. `ending`: only among
 * what is archived or ended; `anywhere`: some memory is not valid yet.
 */
export function lapsedAmong(database: Database, now: Timestamp): 'none' | 'ending' | 'anywhere' {
  const row = database.get(
    `SELECT EXISTS (SELECT 1 FROM memories WHERE present = 1 AND archived = 1)
         OR EXISTS (SELECT 1 FROM memories INDEXED BY memories_by_end WHERE present = 1 AND t_invalid IS NOT NULL AND t_invalid <= ?1) AS ending,
       EXISTS (SELECT 1 FROM memories INDEXED BY memories_by_begin WHERE present = 1 AND t_valid > ?1) AS future`,
    [now],
  );
  if (row?.['future'] === 1) return 'anywhere';
  return row?.['ending'] === 1 ? 'ending' : 'none';
}

function hasWindow({ start, end }: MemoryFilter): boolean {
  return start !== null || end !== null;
}

function boundsOf({ start, end }: MemoryFilter): SqlValue[] {
  return [start ?? '', end ?? '9999'];
}
