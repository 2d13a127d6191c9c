/** What parts of a filter leave, where it is little: a search need not judge what they do not. */
import type { MemoryFilter } from '../../contract/filter.js';
import type { Database } from '../../sqlite/database.js';
import { narrowTags } from './narrow-tags.js';
import { isAtMost, lapsedRows, windowRows, type Rows } from './selectivity.js';

/** Where a part leaves more, judging the best memories finds enough sooner than reading the row numbers of all. A tag takes longer to judge. */
const NARROW_TAGS = 50_000;
const NARROW = 20_000;

/** Row numbers that each of the parts leaves; one may come more than once. Nothing when no part leaves little. */
export function narrowRows(database: Database, filter: MemoryFilter): readonly (readonly number[])[] {
  const parts = [
    ...(filter.state === 'lapsed' ? [lapsedRows(filter.now)] : []),
    ...(isWindow(filter) ? [windowRows(filter)] : []),
  ];
  const tagged = filter.tags && narrowTags(database, filter.tags, NARROW_TAGS);
  return [...parts.filter((rows) => isAtMost(database, NARROW, rows)), ...(tagged ? [tagged] : [])].map((rows) =>
    read(database, rows),
  );
}

function isWindow({ start, end }: MemoryFilter): boolean {
  return start !== null || end !== null;
}

/** As one value: 10,000 rows of the driver take 10 ms. */
function read(database: Database, { sql, params }: Rows): readonly number[] {
  return JSON.parse(
    String(database.get(`SELECT json_group_array(n) AS found FROM (${sql})`, params)?.['found']),
  ) as number[];
}
