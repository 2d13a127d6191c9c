/** Finds the rows that a selective part of a filter admits, so that a search skips all other rows. */
import { type MemoryFilter, tagFiltersOf } from '../../../../contract/filter.js';
import type { Database } from '../../threads/database.js';
import { conditions } from './filter-sql.js';
import { narrowTags } from './narrow-tags.js';
import { isAtMost, lapsedRows, type Rows, windowRows } from './selectivity.js';

/**
 * Most rows that a part may admit. Beyond this, filtering the best memories finds enough of them sooner than reading
 * all row numbers. The limit for tags is higher because filtering by a tag takes longer.
 */
export const NARROW_TAGS = 50_000;
const NARROW = 20_000;

/** One list of row numbers for each selective part; a list may repeat a number. Empty when no part is selective. */
export function narrowRows(database: Database, filter: MemoryFilter): readonly (readonly number[])[] {
  const parts = [
    ...(filter.state === 'lapsed' ? [lapsedRows(filter.now)] : []),
    ...(isWindow(filter) ? [windowRows(filter)] : []),
  ];
  const tagged = tagFiltersOf(filter).flatMap((tags) => narrowTags(database, tags, NARROW_TAGS) ?? []);
  return [...parts.filter((rows) => isAtMost(database, NARROW, rows)), ...tagged].map((rows) =>
    readRows(database, rows),
  );
}

/**
 * The distinct rows that the whole filter admits; null when no part of it is selective, or when it admits more than
 * `most`.
 */
export function admittedRows(database: Database, filter: MemoryFilter, most: number): readonly number[] | null {
  const [rows] = [...narrowRows(database, filter)].sort((one, other) => one.length - other.length);
  if (rows === undefined) return null;
  const { sql, params } = conditions(filter);
  const admitted = database.all(
    `SELECT DISTINCT m.n FROM json_each(?) AS part CROSS JOIN memories AS m ON m.n = part.value WHERE ${sql} LIMIT ?`,
    [JSON.stringify(rows), ...params, most + 1],
  );
  return admitted.length > most ? null : admitted.map((row) => Number(row['n']));
}

function isWindow({ start, end }: MemoryFilter): boolean {
  return start !== null || end !== null;
}

/** Reads all row numbers as one JSON value: 10,000 separate rows of the driver take 10 ms. */
export function readRows(database: Database, { sql, params }: Rows): readonly number[] {
  return JSON.parse(
    String(database.get(`SELECT json_group_array(n) AS found FROM (${sql})`, params)?.['found']),
  ) as number[];
}
