/**
 * Keyword search. Terms and tags meet inside the full-text index; the rest of the filter is judged in the order of relevance, until the
 * limit is filled. Ranking a match costs 1 to 2 µs, so a query that matches very much ranks only what holds its rarer terms.
 *
 * At 100,000 memories of 60 words, three terms of a Zipf vocabulary, processor time of p50 / p95: without a tag 7 / 17 ms, a tag of 10 %
 * 9 / 18, of 0.5 % 5 / 12, a window of 1 % 2 / 6, three words of 60 % each 4 / 5, twenty terms 32. Ranking every match took
 * 50 / 120 ms, and 180 for the common words.
 */
import type { MemoryId } from '../../contract/memory.js';
import type { Database, SqlValue } from '../../sqlite/database.js';
import { procedure } from '../../sqlite/host.js';
import type { KeywordSearch } from '../graph.js';
import { conditionsBesideTags, quoted, tagExpression, type Conditions } from './filter-sql.js';
import { isAtMost, isNarrowWindow, lapsedAmong, rowRange } from './selectivity.js';
import { ENDING_TERM } from './tag-terms.js';

/** So many matches are ranked at most: 5 to 10 ms. */
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
  if (isRankable(scope, terms, RANKED_MATCHES)) return find(scope, anyOf(terms), 'rank', limit);
  return findAmongMany(scope, terms, limit);
});

type Scope = { readonly database: Database; readonly tags: string; readonly range: readonly [number, number]; readonly conditions: Conditions };

const EVERY_ROW = [0, Number.MAX_SAFE_INTEGER] as const;
/** The driver binds numbers as REAL, by which FTS5 does not narrow its rows. */
const MATCHES = 'f.memory_terms MATCH ? AND f.rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)';

/**
 * First what holds a rarer term, ranked; then, newest first, what holds all of the terms and what holds any: among memories that
 * share nothing but common words relevance says little, and FTS5 yields them in the order of their rows without ranking.
 */
function findAmongMany(scope: Scope, terms: readonly string[], limit: number): MemoryId[] {
  const { rare, rarest } = rareTerms(scope, terms);
  // Only what holds a rare term is ranked, but by more of the terms that it holds.
  const steps = [
    ...(rare.length > 0 ? [[`${anyOf(rare)} AND ${anyOf(rarest)}`, 'rank'] as const] : []),
    [allOf(terms), 'rowid DESC'] as const,
    [anyOf(terms), 'rowid DESC'] as const,
  ];
  const found = new Set<MemoryId>();
  for (const [words, order] of steps) {
    if (found.size < limit) find(scope, words, order, limit + found.size).forEach((id) => found.add(id));
  }
  return [...found].slice(0, limit);
}

/** `rare`: the rarest terms whose matches together stay within what is ranked; `rarest` has some of the next ones as well. */
function rareTerms(scope: Scope, terms: readonly string[]): { readonly rare: readonly string[]; readonly rarest: readonly string[] } {
  const counted = terms.map((term) => ({ term, matches: countUpTo(scope, term) })).sort((one, other) => one.matches - other.matches);
  let sum = 0;
  const rare = counted.filter(({ matches }) => (sum += matches) <= RANKED_MATCHES).map(({ term }) => term);
  return { rare, rarest: counted.slice(0, Math.max(rare.length, WEIGHED_TERMS)).map(({ term }) => term) };
}

function find({ database, tags, range, conditions }: Scope, words: string, order: 'rank' | 'rowid DESC', limit: number): MemoryId[] {
  // FTS5 sorts by rank itself and the join reads rows until the limit; sorting by bm25() outside would judge every match first.
  const sql = `SELECT m.id FROM memory_terms AS f CROSS JOIN memories AS m ON m.n = f.rowid
    WHERE ${MATCHES} AND ${conditions.sql} ORDER BY f.${order} LIMIT ?`;
  return database.all(sql, [words + tags, ...range, ...conditions.params, limit]).map((row) => row['id'] as MemoryId);
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
