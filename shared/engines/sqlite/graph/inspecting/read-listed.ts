/**
 * Reads a page of a listing, and counts its memories by type and tag. A filter with a part that admits few memories
 * reads these and sorts them; any other filter is tested along the index of the order. A filter by words needs the
 * thread that holds the word index.
 */
import { type ListSort, tagFiltersOf } from '../../../../contract/filter.js';
import { LIST_FACET_TAGS, LIST_FACETS_LIMIT, LIST_SCAN_LIMIT } from '../../../../contract/limits.js';
import type { Memory } from '../../../../contract/memory.js';
import {
  type ListFacets,
  type ListFilter,
  type ListOrder,
  type ListPosition,
  listPosition,
} from '../../../../ports/graph-inspector.js';
import type { Database, SqlRow, SqlValue } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';
import { MEMORY_COLUMNS } from '../schema/rows.js';
import { WHOLE_TAG } from '../schema/tag-keys.js';
import { type Condition, excludedTypesOf, joined, tagsOf } from '../searching/filter-sql.js';
import { narrowTags } from '../searching/narrow-tags.js';
import { isAtMost, type Rows } from '../searching/selectivity.js';
import { currentWordIndex } from '../searching/words/load-words.js';
import { rowsWithAll } from '../searching/words/rows-with-all.js';

/** Up to this number of rows of one part of a filter are all sorted; beyond it, the index fills a page soon. */
const NARROW = 5_000;
/** The same for counts by words: to test the words of as many rows takes longer than to sort them. */
const NARROW_COUNTED = LIST_SCAN_LIMIT;
/** After every id, and before. */
const [LAST_ID, FIRST_ID] = ['~', ''] as const;

/** The index of each order, and its columns before the id. */
const ORDERS: Readonly<
  Record<
    ListSort,
    {
      readonly index: string;
      readonly keys: readonly string[];
      readonly isAscending?: true;
      readonly isLastIdFirst?: true;
    }
  >
> = {
  newest: { index: 'memories_by_timestamp', keys: ['m.timestamp'], isLastIdFirst: true },
  oldest: { index: 'memories_by_timestamp', keys: ['m.timestamp'], isAscending: true },
  importance: { index: 'memories_by_importance', keys: ['m.importance', 'm.timestamp'] },
  updated: { index: 'memories_by_update', keys: ['m.updated_at'], isLastIdFirst: true },
};

type Request = ListOrder & { readonly after: ListPosition | null };
type Selected = {
  readonly found: readonly SqlRow[];
  /** Where the bounded reading ended before it had found enough; null at the end of the listing. */
  readonly end: ListPosition | null;
};

export const readListed = procedure(
  import.meta.url,
  'readListed',
  (database, { limit, ...request }: Request & { readonly limit: number }) => {
    const { found, end } = select(database, request, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1) as Pick<Memory, 'id' | 'importance' | 'timestamp' | 'updated_at'> | undefined;
    return {
      rows: page.flatMap(({ n = null }) => database.all(BODY, [n])),
      next: found.length > limit && last !== undefined ? listPosition(request.sort, last) : end,
    };
  },
);

const BODY = `SELECT ${MEMORY_COLUMNS} FROM memories AS m JOIN memory_bodies AS b ON b.n = m.n WHERE m.n = ?`;

const BY_TYPE = `SELECT m.type, count(*) AS count FROM json_each(?) AS one CROSS JOIN memories AS m ON m.n = one.value
  GROUP BY m.type ORDER BY count DESC, m.type`;
const BY_TAG = `SELECT k.key AS tag, count(*) AS count FROM json_each(?) AS one
  CROSS JOIN memory_tags AS k ON k.n = one.value AND k.kind = ${WHOLE_TAG}
  GROUP BY k.key ORDER BY count DESC, k.key LIMIT ${LIST_FACET_TAGS}`;

const BY_DATE = `SELECT substr(m.timestamp, 1, 10) AS date, count(*) AS count
  FROM json_each(?) AS one CROSS JOIN memories AS m ON m.n = one.value GROUP BY date ORDER BY date`;

export const readFacets = procedure(import.meta.url, 'readFacets', (database, order: ListOrder): ListFacets => {
  const { found, end } = select(database, { ...order, after: null }, LIST_FACETS_LIMIT + 1, NARROW_COUNTED);
  const counted = found.slice(0, LIST_FACETS_LIMIT);
  const rows = JSON.stringify(counted.map(({ n }) => n));
  return {
    types: database.all(BY_TYPE, [rows]).map(({ type, count }) => ({ type: String(type), count: Number(count) })),
    tags: database.all(BY_TAG, [rows]).map(({ tag, count }) => ({ tag: String(tag), count: Number(count) })),
    dates: database.all(BY_DATE, [rows]).map(({ date, count }) => ({ date: String(date), count: Number(count) })),
    counted: counted.length,
    isPartial: found.length > counted.length || end !== null,
  };
});

/** The first `wanted` memories of the listing, without their bodies. */
function select(database: Database, request: Request, wanted: number, mostByWords = NARROW): Selected {
  const narrow = narrowRows(database, request, mostByWords);
  return narrow === null
    ? walk(database, request, wanted)
    : { found: sort(database, request, { narrow, wanted }), end: null };
}

const COLUMNS = 'm.n, m.id, m.importance, m.timestamp, m.updated_at';

function sort(
  database: Database,
  { filter, sort: by, after }: Request,
  { narrow, wanted }: { readonly narrow: Rows; readonly wanted: number },
): readonly SqlRow[] {
  const { same, rest, order } = rangesOf(by, after);
  const { byTime, byImportance, others } = conditionsOf(filter);
  const { sql, params } = joined([['m.present = 1'], ...byTime.all, ...byImportance, ...others]);
  const [sameSql, ...sameParams] = same;
  const [restSql, ...restParams] = rest;
  const range = after === null ? '' : ` AND ((${sameSql}) OR ${restSql})`;
  return database.all(
    `SELECT ${COLUMNS} FROM (SELECT DISTINCT n FROM (${narrow.sql})) AS part CROSS JOIN memories AS m ON m.n = part.n
     WHERE ${sql}${range} ORDER BY ${order} LIMIT ?`,
    [...narrow.params, ...params, ...(after === null ? [] : [...sameParams, ...restParams]), wanted],
  );
}

/**
 * Tests the filter along the index, from the cursor on. Memories with the same place as the cursor are a range of
 * their own: as one condition with OR, a page would read the whole index again.
 */
function walk(database: Database, { filter, sort: by, after }: Request, wanted: number): Selected {
  const { index, keys, isAscending } = ORDERS[by];
  const { same, rest, order } = rangesOf(by, after);
  const { byTime, byImportance, others } = conditionsOf(filter);
  const isByTime = index === 'memories_by_timestamp';
  const tested = [...others, ...(isByTime ? [] : byTime.all), ...(by === 'importance' ? [] : byImportance)];
  const [first, last] = isAscending ? [byTime.since, byTime.until] : [byTime.until, byTime.since];
  const start = after === null ? (isByTime ? first : []) : [rest];
  const bound = isByTime ? last : by === 'importance' ? byImportance : [];
  const from = `FROM memories AS m INDEXED BY ${index} WHERE`;
  const read = (conditions: readonly Condition[], limit: number): readonly SqlRow[] => {
    if (limit <= 0) return [];
    const { sql, params } = joined([['m.present = 1'], ...conditions]);
    return database.all(`SELECT ${COLUMNS} ${from} ${sql} ORDER BY ${order} LIMIT ?`, [...params, limit]);
  };
  const scanned = (): ListPosition | null => {
    const { sql, params } = joined([['m.present = 1'], ...start, ...bound]);
    const direction = isAscending ? '' : ' DESC';
    const row = database.get(
      `SELECT ${keys.join(', ')} ${from} ${sql} ORDER BY ${keys.map((key) => key + direction).join(', ')}
       LIMIT 1 OFFSET ?`,
      [...params, LIST_SCAN_LIMIT - 1],
    );
    return row === undefined
      ? null
      : [...(Object.values(row) as string[]), ORDERS[by].isLastIdFirst ? FIRST_ID : LAST_ID];
  };

  const end = tested.length === 0 ? null : scanned();
  const until: readonly Condition[] = end === null ? bound : [rangesOf(by, end).through];
  const equal = after === null ? [] : read([same, ...tested], wanted);
  const found = [...equal, ...read([...start, ...until, ...tested], wanted - equal.length)];
  return { found, end: found.length < wanted ? end : null };
}

/** Conditions on the order relative to a place in it; without a place, of no use. */
function rangesOf(by: ListSort, place: ListPosition | null) {
  const { keys, isAscending, isLastIdFirst } = ORDERS[by];
  const values = (place ?? []).slice(0, -1);
  const tuple = keys.length === 1 ? (keys[0] ?? '') : `(${keys.join(', ')})`;
  const given = keys.length === 1 ? '?' : `(${keys.map(() => '?').join(', ')})`;
  const direction = isAscending ? '' : ' DESC';
  return {
    same: [`${tuple} = ${given} AND m.id ${isLastIdFirst ? '<' : '>'} ?`, ...values, place?.at(-1) ?? ''] as Condition,
    rest: [`${tuple} ${isAscending ? '>' : '<'} ${given}`, ...values] as Condition,
    through: [`${tuple} ${isAscending ? '<=' : '>='} ${given}`, ...values] as Condition,
    order: `${keys.map((key) => key + direction).join(', ')}, m.id${isLastIdFirst ? ' DESC' : ''}`,
  };
}

/** The parts of a filter as conditions on `memories AS m`. */
function conditionsOf({ types, since, until, minImportance, terms, ...filter }: ListFilter) {
  const one = (sql: string, value: SqlValue): readonly Condition[] => (value === null ? [] : [[sql, value]]);
  const byTime = { since: one('m.timestamp >= ?', since), until: one('m.timestamp < ?', until) };
  return {
    byTime: { ...byTime, all: [...byTime.since, ...byTime.until] },
    byImportance: one('m.importance >= ?', minImportance > 0 ? minImportance : null),
    others: [
      ...one('m.type IN (SELECT value FROM json_each(?))', types && JSON.stringify(types)),
      ...excludedTypesOf(filter),
      ...tagFiltersOf(filter).map(tagsOf),
      ...(terms.length === 0 ? [] : [wordsOf(terms)]),
    ],
  };
}

/** The words of a row are separated by blanks. */
function wordsOf(terms: readonly string[]): Condition {
  return [
    `EXISTS (SELECT 1 FROM memory_words AS w WHERE w.n = m.n AND NOT EXISTS (SELECT 1 FROM json_each(?) AS term
      WHERE instr(' ' || w.content || ' ' || w.tags || ' ', ' ' || term.value || ' ') = 0))`,
    JSON.stringify(terms),
  ];
}

const OF_ROWS = 'SELECT value AS n FROM json_each(?)';
const OF_TYPES =
  'SELECT n FROM memories INDEXED BY memories_by_type WHERE present = 1 AND type IN (SELECT value FROM json_each(?))';
const OF_TIME =
  'SELECT n FROM memories INDEXED BY memories_by_timestamp WHERE present = 1 AND timestamp >= ? AND timestamp < ?';
const OF_IMPORTANCE = 'SELECT n FROM memories INDEXED BY memories_by_importance WHERE present = 1 AND importance >= ?';

/**
 * The rows of the first part of the filter that the order's index lacks and that admits few memories: at most NARROW,
 * or `mostByWords` by words.
 */
function narrowRows(database: Database, { filter, sort: by }: Request, mostByWords: number): Rows | null {
  const { types, since, until, minImportance, terms } = filter;
  const isByTime = ORDERS[by].index === 'memories_by_timestamp';
  for (const tags of tagFiltersOf(filter)) {
    const rows = narrowTags(database, tags, NARROW);
    if (rows !== null) return rows;
  }
  const matches = terms.length === 0 ? null : rowsWithAll(currentWordIndex(database), terms, mostByWords);
  if (matches !== null) return { sql: OF_ROWS, params: [JSON.stringify(matches)] };
  const parts: readonly Rows[] = [
    ...(types === null ? [] : [{ sql: OF_TYPES, params: [JSON.stringify(types)] }]),
    ...(isByTime || (since === null && until === null) ? [] : [{ sql: OF_TIME, params: [since ?? '', until ?? '~'] }]),
    ...(by === 'importance' || minImportance === 0 ? [] : [{ sql: OF_IMPORTANCE, params: [minImportance] }]),
  ];
  return parts.find((rows) => isAtMost(database, NARROW, rows)) ?? null;
}
