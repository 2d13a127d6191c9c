/**
 * Keyword search. Terms and tags meet inside the full-text index; the rest of the filter is judged in the order of relevance, until the
 * limit is filled. Ranking a match costs 1 to 2 µs, so a query that matches very much ranks by its rarer terms only.
 */
import type { MemoryId } from '../../contract/memory.js';
import type { Database, SqlValue } from '../../sqlite/database.js';
import { procedure } from '../../sqlite/host.js';
import type { KeywordSearch } from '../graph.js';
import { conditionsBesideTags, quoted, tagExpression, type Conditions } from './filter-sql.js';
import { isAtMost, isNarrowWindow, rowRange } from './selectivity.js';

/** So many matches are ranked at most: 5 to 10 ms. */
const RANKED_MATCHES = 8_000;
/** Up to so many memories in the window, the search keeps to the rows between its first and its last. */
const NARROW_WINDOW = 5_000;

export const searchKeyword = procedure(import.meta.url, 'searchKeyword', (database, { terms, filter, limit }: KeywordSearch): MemoryId[] => {
  const range = isNarrowWindow(database, filter, NARROW_WINDOW) ? rowRange(database, filter) : EVERY_ROW;
  if (range === null) return [];
  const tags = filter.tags ? ` AND ${tagExpression(filter.tags)}` : '';
  const scope: Scope = { database, tags, range, conditions: conditionsBesideTags(filter) };
  if (isRankable(scope, terms, RANKED_MATCHES)) return find(scope, anyOf(terms), 'rank', limit);
  return findAmongMany(scope, terms, limit);
});

type Scope = { readonly database: Database; readonly tags: string; readonly range: readonly [number, number]; readonly conditions: Conditions };

const EVERY_ROW = [0, Number.MAX_SAFE_INTEGER] as const;
const MATCHES = 'f.memory_terms MATCH ? AND f.rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)';

/**
 * First what holds a rarer term, ranked; then, newest first, what holds all of the terms and what holds any: among memories that
 * share nothing but common words relevance says little, and FTS5 yields them in the order of their rows without ranking.
 */
function findAmongMany(scope: Scope, terms: readonly string[], limit: number): MemoryId[] {
  const rare = rareTerms(scope, terms);
  const steps = [
    ...(rare.length > 0 ? [[rankedBy(terms, rare), 'rank'] as const] : []),
    [allOf(terms), 'rowid DESC'] as const,
    [anyOf(terms), 'rowid DESC'] as const,
  ];
  const found = new Set<MemoryId>();
  for (const [words, order] of steps) {
    if (found.size < limit) find(scope, words, order, limit + found.size).forEach((id) => found.add(id));
  }
  return [...found].slice(0, limit);
}

/** The rarest terms whose matches together stay within what is ranked, in the order of the query. */
function rareTerms(scope: Scope, terms: readonly string[]): string[] {
  const counted = terms.map((term) => ({ term, matches: countUpTo(scope, term) })).sort((one, other) => one.matches - other.matches);
  let sum = 0;
  const rare = new Set(counted.filter(({ matches }) => (sum += matches) <= RANKED_MATCHES).map(({ term }) => term));
  return terms.filter((term) => rare.has(term));
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

/** Only what holds a rare term is ranked, but by all the terms that it holds. */
function rankedBy(terms: readonly string[], rare: readonly string[]): string {
  return `${anyOf(rare)} AND ${anyOf(terms)}`;
}

function allOf(terms: readonly string[]): string {
  return `{content tags} : (${terms.map(quoted).join(' AND ')})`;
}
