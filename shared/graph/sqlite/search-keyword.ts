/**
 * Keyword search. Terms and tags meet inside the full-text index; the rest of the filter is judged in the order of its relevance, until
 * there is enough to rank by words. Its relevance costs 1 to 2 µs a match, so a query that matches very much asks it only for what holds
 * its rarer terms.
 *
 * At 100,000 memories of 60 words, three terms of a Zipf vocabulary, processor time of p50 / p95: without a tag 7 / 17 ms, a tag of 10 %
 * 9 / 18, of 0.5 % 5 / 12, a window of 1 % 2 / 6, three words of 60 % each 4 / 5, twenty terms 32. Ranking every match took
 * 50 / 120 ms, and 180 for the common words. Reading 400 hits with their words instead of 100 ids adds 1 to 3 ms (measured at 10,000).
 */
import type { MemoryId } from '../../contract/memory.js';
import type { Database, SqlRow, SqlValue } from '../../sqlite/database.js';
import { procedure } from '../../sqlite/host.js';
import type { KeywordSearch } from '../graph.js';
import { hitsFor, rankByWords, type WordHit } from '../rank-by-words.js';
import { conditionsBesideTags, quoted, tagExpression, type Conditions } from './filter-sql.js';
import { isAtMost, isNarrowWindow, lapsedAmong, rowRange } from './selectivity.js';
import { ENDING_TERM } from './tag-terms.js';

/** So many matches are put in the order of its relevance at most: 5 to 10 ms. */
const RANKED_MATCHES = 8_000;
/** So many terms weigh in what is ranked: FTS5 counts the memories with each of them for that. */
const WEIGHED_TERMS = 8;
/** Up to so many memories in the window, the search keeps to the rows between its first and its last. */
const NARROW_WINDOW = 5_000;

export const searchKeyword = procedure(import.meta.url, 'searchKeyword', (database, { terms, filter, limit }: KeywordSearch): MemoryId[] => {
  const lapsed = filter.state === 'lapsed' ? lapsedAmong(database, filter.now) : 'anywhere';
  if (lapsed === 'none') return [];
  const range = isNarrowWindow(database, filter, NARROW_WINDOW) ? rowRange(database, filter) : EVERY_ROW;
  if (range === null) return [];
  const tags = (filter.tags ? ` AND ${tagExpression(filter.tags)}` : '') + (lapsed === 'ending' ? ` AND keys : ${quoted(ENDING_TERM)}` : '');
  const scope: Scope = { database, tags, range, conditions: conditionsBesideTags(filter) };
  const most = hitsFor(limit);
  const found = isRankable(scope, terms, RANKED_MATCHES) ? find(scope, anyOf(terms), 'rank', most) : findAmongMany(scope, terms, most);
  return [...rankByWords(found.map((row) => toHit(row, terms)), limit)];
});

function toHit({ id, importance, timestamp, content, tags }: SqlRow, terms: readonly string[]): WordHit {
  const [inContent, inTags] = [` ${String(content)} `, ` ${String(tags)} `];
  const points = terms.map((term) => (inContent.includes(` ${term} `) ? 2 : inTags.includes(` ${term} `) ? 1 : 0));
  return { id: id as MemoryId, importance: Number(importance), timestamp: timestamp as WordHit['timestamp'], points };
}

type Scope = { readonly database: Database; readonly tags: string; readonly range: readonly [number, number]; readonly conditions: Conditions };

const EVERY_ROW = [0, Number.MAX_SAFE_INTEGER] as const;
/** The driver binds numbers as REAL, by which FTS5 does not narrow its rows. */
const MATCHES = 'f.memory_terms MATCH ? AND f.rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)';

/**
 * First what holds a rarer term, ranked; then, newest first, what holds all of the terms and what holds any: among memories that
 * share nothing but common words relevance says little, and FTS5 yields them in the order of their rows without ranking.
 */
function findAmongMany(scope: Scope, terms: readonly string[], limit: number): SqlRow[] {
  const { rare, rarest } = rareTerms(scope, terms);
  // Only what holds a rare term is ranked, but by more of the terms that it holds.
  const steps = [
    ...(rare.length > 0 ? [[`${anyOf(rare)} AND ${anyOf(rarest)}`, 'rank'] as const] : []),
    [allOf(terms), 'rowid DESC'] as const,
    [anyOf(terms), 'rowid DESC'] as const,
  ];
  const found = new Map<SqlValue, SqlRow>();
  for (const [words, order] of steps) {
    if (found.size < limit) find(scope, words, order, limit + found.size).forEach((row) => found.set(row['id'] ?? null, row));
  }
  return [...found.values()].slice(0, limit);
}

/** `rare`: the rarest terms whose matches together stay within what is ranked; `rarest` has some of the next ones as well. */
function rareTerms(scope: Scope, terms: readonly string[]): { readonly rare: readonly string[]; readonly rarest: readonly string[] } {
  const counted = terms.map((term) => ({ term, matches: countUpTo(scope, term) })).sort((one, other) => one.matches - other.matches);
  let sum = 0;
  const rare = counted.filter(({ matches }) => (sum += matches) <= RANKED_MATCHES).map(({ term }) => term);
  return { rare, rarest: counted.slice(0, Math.max(rare.length, WEIGHED_TERMS)).map(({ term }) => term) };
}

function find({ database, tags, range, conditions }: Scope, words: string, order: 'rank' | 'rowid DESC', limit: number): SqlRow[] {
  // FTS5 sorts by rank itself and the join reads rows until the limit; sorting by bm25() outside would judge every match first.
  const sql = `SELECT m.id, m.importance, m.timestamp, w.content, w.tags
    FROM memory_terms AS f CROSS JOIN memories AS m ON m.n = f.rowid CROSS JOIN memory_words AS w ON w.n = m.n
    WHERE ${MATCHES} AND ${conditions.sql} ORDER BY f.${order} LIMIT ?`;
  return database.all(sql, [words + tags, ...range, ...conditions.params, limit]);
}

function isRankable({ database, tags, range }: Scope, terms: readonly string[], limit: number): boolean {
  const params: SqlValue[] = [anyOf(terms) + tags, ...range];
  return isAtMost(database, limit, { sql: `SELECT 1 FROM memory_terms AS f WHERE ${MATCHES}`, params });
}

function countUpTo({ database, tags, range }: Scope, term: string): number {
  const sql = `SELECT count(*) AS found FROM (SELECT 1 FROM memory_terms AS f WHERE ${MATCHES} LIMIT ${RANKED_MATCHES + 1})`;
  return Number(database.get(sql, [anyOf([term]) + tags, ...range])?.['found']);
}

function anyOf(terms: readonly string[]): string {
  return `{content tags} : (${terms.map(quoted).join(' OR ')})`;
}

function allOf(terms: readonly string[]): string {
  return `{content tags} : (${terms.map(quoted).join(' AND ')})`;
}
